import assert from 'node:assert/strict';
import { parseTask } from '../../../src/task/parseTask.ts';
import type { Task } from '../../../src/task/task.ts';
import { taskFiles } from './taskFiles.ts';

const TEST_SH = '#!/bin/bash\ntrue\n';

function task(texts: Readonly<Record<string, string>>): Task {
  return parseTask('t', taskFiles({ 'instruction.md': 'Fix it.', 'tests/test.sh': TEST_SH, ...texts }));
}

function paths(found: Task): string[] {
  return found.family.solution.map(({ path }) => path);
}

const PY = 'FROM python:3.10-slim\nWORKDIR /app\nCOPY solution.py /app/solution.py\n';
const BUGSINPY = {
  'metadata.json': '{"source": "bugsinpy", "project": "p"}',
  'environment/solution.py': 'x = 1\n',
  'environment/Dockerfile': PY,
};

describe('a BugsInPy task', () => {
  it('edits /app/solution.py, starting from what the image has', () => {
    const { family } = task(BUGSINPY);
    assert.equal(family.name, 'bugsinpy');
    assert.deepEqual(family.solution, [
      { path: '/app/solution.py', starter: new Uint8Array(Buffer.from('x = 1\n')), mode: 0o644 },
    ]);
  });

  it('has the shape that its guards show', () => {
    const shape = (texts: Readonly<Record<string, string>>) => task({ ...BUGSINPY, ...texts }).family;
    assert.equal(shape({ 'tests/test.sh': "#!/bin/bash\ntrap 'finish' EXIT\n" }).shape, 'v1');
    const v2 = shape({ 'environment/Dockerfile': `${PY}COPY solution.py .buggy_solution.py\n` });
    assert.equal(v2.shape, 'v2');
    assert.deepEqual(v2.baselinePaths, ['/app/.buggy_solution.py']);
    assert.deepEqual([v2.hashPaths, v2.refusesStarter], [[], true]);
    const made = shape({ 'environment/Dockerfile': `${PY}RUN cp solution.py .buggy_solution.py\n` });
    assert.deepEqual(made.baselinePaths, ['/app/.buggy_solution.py']);
    const v4 = shape({ 'tests/baseline_sha256.txt': '0' });
    assert.equal(v4.shape, 'v4');
    assert.deepEqual(v4.baselinePaths, []);
    assert.deepEqual([v4.hashPaths, v4.refusesStarter], [['/tests/baseline_sha256.txt'], true]);
    assert.equal(shape({}).shape, undefined);
    assert.equal(shape({}).refusesStarter, false);
  });

  it('is known without metadata by where its files lie', () => {
    const files = {
      'environment/solution.py': '',
      'tests/test_solution.py': '',
      'tests/test.sh': '#!/bin/bash\npython3 -m py_compile /app/solution.py\n',
    };
    assert.equal(task(files).family.name, 'bugsinpy');
    assert.equal(task({ ...files, 'metadata.json': '{"source": "quixbugs"}' }).family.name, 'harbor');
  });
});

const MANYBUGS = {
  'metadata.json': '{"source": "manybugs", "flat_filename": "a.c"}',
  'environment/Dockerfile': 'FROM ubuntu:22.04\nWORKDIR /workspace\nRUN mkdir -p src\n',
  'tests/buggy/a.c': 'buggy',
  'tests/fixed/a.c': 'fixed',
};

describe('a ManyBugs task', () => {
  it('edits /workspace/src/<file>, starting from tests/initial, else from tests/buggy', () => {
    assert.equal(Buffer.from(task(MANYBUGS).family.solution[0]?.starter ?? []).toString(), 'buggy');
    const { family, gold } = task({ ...MANYBUGS, 'tests/initial/a.c': 'initial' });
    assert.equal(family.name, 'manybugs');
    assert.equal(family.solution[0]?.path, '/workspace/src/a.c');
    assert.equal(Buffer.from(family.solution[0]?.starter ?? []).toString(), 'initial');
    assert.deepEqual(family.baselinePaths, ['/tests/buggy/a.c']);
    assert.deepEqual(family.goldPaths, ['/tests/fixed/a.c']);
    assert.equal(family.refusesStarter, true);
    assert.ok(gold.kind === 'files' && gold.from === 'tests/fixed');
  });

  it('keeps Latin-1, CRLF and form feeds of its source', () => {
    const source = '/* caf\xe9 */\r\n\f\tint x;\r\n';
    const { family } = task({ ...MANYBUGS, 'tests/initial/a.c': source });
    assert.equal(Buffer.from(family.solution[0]?.starter ?? []).toString('latin1'), source);
  });

  it('has the shape that its verifier shows', () => {
    assert.equal(task({ ...MANYBUGS, 'tests/test_state.py': '' }).family.shape, 'v2');
    const trapped = { 'tests/test.sh': '#!/bin/bash\ntrap done EXIT\n' };
    assert.equal(task({ ...MANYBUGS, ...trapped }).family.shape, 'v1');
  });

  it('is known without metadata, and finds its file without its name', () => {
    const { family } = task({
      'tests/test.sh': '#!/bin/bash\ncmp /workspace/src/z.c /tests/fixed/z.c\n',
      'tests/buggy/z.c': 'b',
      'tests/fixed/z.c': 'f',
    });
    assert.equal(family.name, 'manybugs');
    assert.equal(family.solution[0]?.path, '/workspace/src/z.c');
  });

  it('never follows a file name out of its folder', () => {
    const found = task({
      ...MANYBUGS,
      'metadata.json': '{"source": "manybugs", "flat_filename": "../../etc/x"}',
    });
    assert.deepEqual(paths(found), ['/workspace/src/a.c']);
    assert.deepEqual(
      found.problems.map(({ code, message }) => [code, message]),
      [
        [
          'bad-metadata',
          'metadata.json cannot be used: flat_filename is "../../etc/x", which is no plain file name. The task\'s files are found by their usual places instead; correct the file if they are wrong.',
        ],
      ],
    );
  });

  it('without any file to repair says so', () => {
    const found = task({
      'metadata.json': '{"source": "manybugs"}',
      'environment/Dockerfile': 'FROM x\n',
    });
    assert.deepEqual(
      found.problems.map(({ code, severity }) => [code, severity]),
      [['no-solution-file', 'warning']],
    );
  });
});

describe('any other Harbor task', () => {
  it('edits what the Dockerfile copies: named in the instruction first, then sources, then data', () => {
    const found = task({
      'instruction.md': 'The parser in `core.py` is wrong; see /app/settings.ini and table.csv.',
      'environment/Dockerfile':
        'FROM x\nWORKDIR /app\nCOPY pkg/ pkg/\nCOPY table.csv notes.md settings.ini ./\n',
      'environment/pkg/__init__.py': '\n',
      'environment/pkg/a.py': 'a = 1',
      'environment/pkg/core.py': 'b = 1',
      'environment/pkg/hardcore.py': 'b = 1',
      'environment/table.csv': '1',
      'environment/notes.md': 'n',
      'environment/settings.ini': 's',
    });
    assert.equal(found.family.name, 'harbor');
    assert.deepEqual(paths(found), [
      '/app/settings.ini',
      '/app/pkg/core.py',
      '/app/pkg/a.py',
      '/app/pkg/hardcore.py',
      '/app/pkg/__init__.py',
      '/app/notes.md',
      '/app/table.csv',
    ]);
  });

  it('takes a second copy of a file for the baseline, and leaves out what Harbor itself fills', () => {
    const found = task({
      'environment/Dockerfile':
        'FROM x\nCOPY a.sh /opt/orig/a.sh\nCOPY a.sh /app/a.sh\nCOPY t.sh /tests/t.sh\n',
      'environment/a.sh': 'a',
      'environment/t.sh': 't',
    });
    assert.deepEqual(paths(found), ['/app/a.sh']);
    assert.deepEqual(found.family.baselinePaths, ['/opt/orig/a.sh']);
  });

  it('without anything to edit says so, and still opens', () => {
    const found = task({ 'environment/Dockerfile': 'FROM x\nRUN git clone y\n' });
    assert.deepEqual(paths(found), []);
    assert.deepEqual(
      found.problems.map(({ code, severity, message }) => [code, severity, message]),
      [
        [
          'no-solution-file',
          'warning',
          'No COPY line of a Dockerfile brings a file from environment/, so there is nothing to edit yet. Load the working tree from the image, or add the files that the instruction asks for.',
        ],
      ],
    );
  });
});

describe('the gold of a task', () => {
  it('is its script before its files, and all of solution/ goes with it', () => {
    const { gold } = task({ ...BUGSINPY, 'solution/solve.sh': 's', 'solution/patch.diff': 'd' });
    assert.ok(gold.kind === 'script');
    assert.deepEqual(
      gold.files.map(({ path }) => path),
      ['solution/solve.sh', 'solution/patch.diff'],
    );
  });

  it('is the file in solution/ that is named like the solution, before tests/fixed', () => {
    const { gold } = task({
      ...MANYBUGS,
      'solution/a.c': 'gold',
      'solution/README': 'no',
    });
    assert.deepEqual(gold, {
      kind: 'files',
      from: 'solution',
      files: [{ path: '/workspace/src/a.c', bytes: new Uint8Array(Buffer.from('gold')) }],
    });
  });

  it('may be several files, matched by the longest part of their path', () => {
    const { gold } = task({
      'environment/Dockerfile': 'FROM x\nCOPY . /app\n',
      'environment/a/util.py': '1',
      'environment/b/util.py': '2',
      'solution/b/util.py': 'gold',
    });
    assert.ok(gold.kind === 'files');
    assert.deepEqual(
      gold.files.map(({ path }) => path),
      ['/app/b/util.py'],
    );
  });

  it('is none when the task ships none', () => {
    assert.deepEqual(task(BUGSINPY).gold, { kind: 'none' });
  });
});
