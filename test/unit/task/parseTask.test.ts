import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseTask } from '../../../src/task/parseTask.ts';
import type { TaskProblem } from '../../../src/task/taskProblem.ts';
import { readTaskFolder } from '../../../src/task/archive/taskFolder.ts';
import { ROOT } from '../../host/root.ts';
import { taskFiles } from './helpers/taskFiles.ts';

const GOOD = {
  'instruction.md': 'Fix it.\n',
  'environment/Dockerfile': 'FROM x\nCOPY a.py /app/\n',
  'environment/a.py': 'a\n',
  'tests/test.sh': '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n',
};

function parse(changes: Readonly<Record<string, string | undefined>>) {
  const texts = Object.entries({ ...GOOD, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return parseTask('row', taskFiles(Object.fromEntries(texts)));
}

function problem(changes: Readonly<Record<string, string | undefined>>): TaskProblem {
  const { problems } = parse(changes);
  assert.equal(problems.length, 1, JSON.stringify(problems));
  const [only] = problems;
  assert.ok(only !== undefined);
  return only;
}

describe('a task', () => {
  it('that is whole has no problems', () => {
    const task = parse({});
    assert.deepEqual(task.problems, []);
    assert.equal(task.instruction, 'Fix it.\n');
    assert.equal(task.id, 'row');
    assert.deepEqual(
      task.placed.map(({ path, file }) => [path, file.path]),
      [['/app/a.py', 'a.py']],
    );
  });

  for (const [what, changes, expected] of [
    [
      'without an instruction still opens',
      { 'instruction.md': undefined },
      {
        code: 'no-instruction',
        severity: 'warning',
        file: 'instruction.md',
        message:
          'The task has no instruction.md, so it does not say what is to be repaired. It can be verified all the same; add the file before anybody is asked to solve it.',
      },
    ],
    [
      'without a verifier cannot be verified',
      { 'tests/test.sh': undefined },
      {
        code: 'no-test-script',
        severity: 'blocking',
        file: 'tests/test.sh',
        message:
          'The task has no tests/test.sh, so there is nothing that could verify a solution. Add the script.',
      },
    ],
    [
      'with an empty verifier cannot be verified',
      { 'tests/test.sh': '\n' },
      {
        code: 'no-test-script',
        severity: 'blocking',
        file: 'tests/test.sh',
        message:
          'tests/test.sh is empty, so it writes no reward and nothing can be verified. Write the script.',
      },
    ],
    [
      'whose verifier starts with a carriage return is warned about',
      { 'tests/test.sh': '#!/bin/bash\r\ntrue\r\n' },
      {
        code: 'crlf-test-script',
        severity: 'warning',
        file: 'tests/test.sh',
        line: 1,
        column: 1,
        message:
          'Line 1 of tests/test.sh ends with CRLF, as Windows writes it: Linux then looks for a program named "/bin/bash\\r" and cannot start the script. Save the file with LF line ends.',
      },
    ],
    [
      'whose verifier has a carriage return further down is warned about',
      { 'tests/test.sh': '#!/bin/bash\ntrue\r\n' },
      {
        code: 'crlf-test-script',
        severity: 'warning',
        file: 'tests/test.sh',
        line: 2,
        column: 1,
        message:
          'Line 2 of tests/test.sh ends with CRLF, as Windows writes it: the shell then takes the carriage return for a part of its commands. Save the file with LF line ends.',
      },
    ],
    [
      'whose verifier has no shebang is warned about',
      { 'tests/test.sh': 'true\n' },
      {
        code: 'no-shebang',
        severity: 'warning',
        file: 'tests/test.sh',
        line: 1,
        column: 1,
        message:
          'tests/test.sh does not start with #!, so it is left to the calling shell, bash, to run it. Put #!/bin/bash at the very start of its first line.',
      },
    ],
    [
      'that copies a file which is not there cannot be built',
      {
        'environment/a.py': undefined,
        'environment/Dockerfile': 'FROM x\n\nCOPY b.py /b\nCOPY c.py /c\n',
        'environment/c.py': '',
      },
      {
        code: 'copy-missing',
        severity: 'blocking',
        file: 'environment/Dockerfile',
        line: 3,
        message:
          'Line 3 of the Dockerfile copies "b.py", which is not in environment/, so the image cannot be built. Add the file, or take the line out.',
      },
    ],
    [
      'with broken metadata still opens',
      { 'metadata.json': '[1]' },
      {
        code: 'bad-metadata',
        severity: 'warning',
        file: 'metadata.json',
        message:
          "metadata.json cannot be used: it holds no object with names and values. The task's files are found by their usual places instead; correct the file if they are wrong.",
      },
    ],
    [
      'with other services says that they do not run',
      { 'environment/docker-compose.yaml': 'services: {}' },
      {
        code: 'bad-config',
        severity: 'warning',
        file: 'environment/docker-compose.yaml',
        message:
          'The task has a docker-compose.yaml, but only its main image is run here, without other services. Expect another result than under Harbor where the verifier needs them.',
      },
    ],
  ] as const)
    it(what, () => {
      assert.deepEqual(problem(changes), expected);
    });

  it('for Windows containers cannot be verified here', () => {
    const { code, severity } = problem({ 'task.toml': '[environment]\nos = "windows"\n' });
    assert.deepEqual([code, severity], ['bad-config', 'blocking']);
  });

  it('without a Dockerfile needs an image by name', () => {
    const without = { 'environment/Dockerfile': undefined };
    assert.deepEqual(
      parse(without).problems.map(({ code, severity }) => [code, severity]),
      [
        ['no-dockerfile', 'blocking'],
        ['no-solution-file', 'warning'],
      ],
    );
    const named = parse({ ...without, 'task.toml': '[environment]\ndocker_image = "x"\n' });
    assert.deepEqual(
      named.problems.map(({ code }) => code),
      ['no-solution-file'],
    );
  });

  it('whose image is only pulled may have a Dockerfile that does not build', () => {
    const { code, severity } = problem({
      'task.toml': '[environment]\ndocker_image = "x"\n',
      'environment/Dockerfile': 'FROM x\nCOPY a.py /app/\nCOPY no /no\n',
    });
    assert.deepEqual([code, severity], ['copy-missing', 'warning']);
  });

  it('with a broken task.toml opens with defaults', () => {
    const task = parse({ 'task.toml': '[verifier]\ntimeout_sec = 5\n[verifier]\n' });
    assert.deepEqual(
      task.problems.map(({ code, severity, line }) => [code, severity, line]),
      [['bad-toml', 'warning', 3]],
    );
    assert.equal(task.config.verifier.timeoutSec, 600);
  });

  it('has a hash of its paths and bytes, whatever their order and modes', () => {
    const files = taskFiles(GOOD);
    const { hash } = parseTask('a', files);
    assert.match(hash, /^[0-9a-f]{64}$/);
    const other = new Map([...files].reverse().map(([path, file]) => [path, { ...file, mode: 0o755 }]));
    assert.equal(parseTask('b', other).hash, hash);
    assert.notEqual(parse({ 'tests/extra': '' }).hash, hash);
    assert.notEqual(parse({ 'instruction.md': 'Fix it!\n' }).hash, hash);
  });

  it('of any bytes is parsed without an exception', function () {
    this.timeout(30_000);
    const text = fc.string({ unit: 'binary-ascii', maxLength: 300 });
    fc.assert(
      fc.property(text, text, text, text, text, (dockerfile, toml, script, metadata, instruction) => {
        const task = parse({
          'environment/Dockerfile': `FROM x\n${dockerfile}`,
          'task.toml': toml,
          'tests/test.sh': script,
          'metadata.json': metadata,
          'instruction.md': instruction,
        });
        for (const { message } of task.problems) assert.ok(message.endsWith('.'), message);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the sample task', () => {
  const root = join(ROOT, 'test/fixtures/tasks');
  const expected: Readonly<
    Record<string, readonly [family: string, shape: string | undefined, first: string, gold: string]>
  > = {
    'bugsinpy-0001': ['bugsinpy', 'v2', '/app/solution.py', 'files'],
    'bugsinpy-0014': ['bugsinpy', 'v2', '/app/solution.py', 'files'],
    'bugsinpy-0039': ['bugsinpy', 'v2', '/app/solution.py', 'files'],
    'bugsinpy-0112': ['bugsinpy', 'v2', '/app/solution.py', 'none'],
    'bugsinpy-v1-0027': ['bugsinpy', 'v1', '/app/solution.py', 'files'],
    'bugsinpy-v4-0203': ['bugsinpy', 'v4', '/app/solution.py', 'files'],
    'manybugs-0007': ['manybugs', 'v2', '/workspace/src/rl_strip.c', 'files'],
    'manybugs-v1-0011': ['manybugs', 'v1', '/workspace/src/cfg_scan.c', 'files'],
    'harbor-ledger-cli': ['harbor', undefined, '/app/aliases.ini', 'script'],
    'harbor-log-rotate': ['harbor', undefined, '/app/rotate.sh', 'script'],
  };
  for (const id of existsSync(root) ? readdirSync(root).filter((name) => expected[name] !== undefined) : [])
    it(`${id} is what it should be`, async () => {
      const result = await readTaskFolder(join(root, id));
      assert.ok(result.ok);
      const { family, gold, problems } = parseTask(id, result.files);
      assert.deepEqual([family.name, family.shape, family.solution[0]?.path, gold.kind], expected[id]);
      assert.deepEqual(problems, []);
      for (const { path, starter } of family.solution) assert.ok(starter !== undefined, path);
      if (family.name === 'manybugs')
        assert.deepEqual(
          Buffer.from(family.solution[0]?.starter ?? []),
          readFileSync(join(root, id, 'tests/initial', family.solution[0]?.path.split('/').at(-1) ?? '')),
        );
    });
});
