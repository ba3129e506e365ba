import assert from 'node:assert/strict';
import { BUGSINPY, MANYBUGS, task } from './helpers/familyTasks.ts';

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
