import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { bashWord, solveScript } from '../../../src/gold/solveScript.ts';
import { encodeName } from '../../../src/task/archive/memberName.ts';

const text = (task: string, files: Parameters<typeof solveScript>[1]): string =>
  Buffer.from(solveScript(task, files)).toString('latin1');

describe('solve.sh', () => {
  it('puts files in place and removes deleted ones first', () => {
    assert.equal(
      text('bugsinpy-0001', [
        { path: '/app/old.py', change: 'deleted', mode: 0o644 },
        { path: '/app/run.sh', change: 'changed', file: 'solution/files/app/run.sh', mode: 0o755 },
        { path: "/app/it's new.py", change: 'added', file: "solution/files/app/it's new.py", mode: 0o644 },
      ]),
      `#!/bin/bash
# Puts the gold fix of "bugsinpy-0001" in place. "repair-bench gold check" tells whether it was edited.
set -euo pipefail
umask 022
here="$(cd -- "$(dirname -- "\${BASH_SOURCE[0]}")" && pwd)"

# put FILE PLACE MODE: a file that is replaced keeps its owner and mode, a new one gets MODE.
put() {
  if [ -e "$2" ]; then
    cat -- "$here/$1" > "$2"
  else
    rm -f -- "$2"
    mkdir -p -- "$(dirname -- "$2")"
    cat -- "$here/$1" > "$2"
    chmod "$3" -- "$2"
  fi
}

rm -f -- /app/old.py
put files/app/run.sh /app/run.sh 755
put 'files/app/it'\\''s new.py' '/app/it'\\''s new.py' 644
`,
    );
  });

  it('keeps what a dataset calls its task inside a comment', () => {
    const script = text('x"\nrm -rf / #\r', [{ path: '/a', change: 'deleted', mode: 0o644 }]);
    assert.equal(
      script.split('\n')[1]?.startsWith('# Puts the gold fix of "x\\"\\nrm -rf / #\\r" in place.'),
      true,
    );
    assert.equal(script.split('\n').length, 8);
  });

  it('quotes any name so that bash reads it back, byte for byte', function () {
    this.timeout(60_000);
    const unit = fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '\\',
        '$',
        '`',
        '!',
        '\n',
        '\t',
        ' ',
        '*',
        '~',
        '\u00e9',
        '\udcff',
        '\u{1f600}',
        '\x7f',
      ),
      fc.integer({ min: 1, max: 127 }).map((code) => String.fromCharCode(code)),
    );
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit, minLength: 1, maxLength: 12 }), { minLength: 20, maxLength: 20 }),
        (names) => {
          const said = execFileSync(
            'bash',
            ['--norc', '-c', `printf '%s\\0' ${names.map(bashWord).join(' ')}`],
            {
              env: { PATH: process.env['PATH'], LC_ALL: 'C' },
              stdio: ['ignore', 'pipe', 'pipe'],
            },
          );
          assert.deepEqual(
            said,
            Buffer.concat(names.map((name) => Buffer.concat([encodeName(name), Buffer.of(0)]))),
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});
