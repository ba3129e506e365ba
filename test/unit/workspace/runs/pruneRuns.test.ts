import assert from 'node:assert/strict';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pruneRuns } from '../../../../src/workspace/runs/pruneRuns.ts';
import { workspaceWithRuns } from '../helpers/workspaceWithRuns.ts';

describe('pruning the runs of a workspace', () => {
  const on = workspaceWithRuns();
  const { changed, runs, save, shown } = on;

  it('is bounded: the oldest runs go, then the solutions that no run names', async () => {
    const solutions = ['a', 'b', 'c'].map((text) => changed(['/app/new.py', text]));
    for (const [index, solution] of solutions.entries())
      await save(solution, `2026-01-01T10:00:0${index}.000Z`);
    const longAgo = new Date(Date.now() - 60 * 60 * 1000);
    for (const name of await readdir(join(runs(), 'solutions')))
      await utimes(join(runs(), 'solutions', name), longAgo, longAgo);
    await pruneRuns(on.workspace, { runs: 2, bytes: Infinity });
    assert.deepEqual(
      (await shown()).map(({ at, kept }) => [at.slice(17, 19), kept]),
      [
        ['02', true],
        ['01', true],
      ],
    );
    assert.equal((await readdir(join(runs(), 'solutions'))).length, 2);
    await pruneRuns(on.workspace, { runs: 100, bytes: 1 });
    assert.deepEqual(
      (await shown()).map(({ at }) => at.slice(17, 19)),
      ['02'],
      'the newest stays',
    );
  });

  it('leaves a solution alone whose run another window has not written yet', async () => {
    await save(changed(['/app/new.py', 'a']), '2026-01-01T10:00:00.000Z');
    const [name = ''] = (await readdir(runs())).filter((each) => each.endsWith('.json'));
    await rm(join(runs(), name));
    await pruneRuns(on.workspace);
    assert.equal((await readdir(join(runs(), 'solutions'))).length, 1);
  });
});
