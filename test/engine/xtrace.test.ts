import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { traceWords } from '../../src/verifier/trace/trace.ts';

describe("bash's xtrace quoting", () => {
  it('is undone, whatever a word holds', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      "'",
      '"',
      '\\',
      '$',
      '\n',
      '\t',
      '\r',
      '!',
      '*',
      'é',
      '~',
      '`',
      '#',
    );
    const words = fc.sample(fc.string({ minLength: 1, maxLength: 8, unit }), 2000);
    const script = 'exec {BASH_XTRACEFD}>&1; PS4=$\'\\001\'; set -x; for word; do : "$word" x; done';
    const traced = execFileSync('bash', ['--norc', '-c', script, 'bash', ...words], {
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' },
    });
    const seen = traced.split('\u0001').filter((command) => command.startsWith(': '));
    assert.deepEqual(
      seen.map((command) => traceWords(command.replace(/\n$/, ''))),
      words.map((word) => [':', word, 'x']),
    );
  });
});
