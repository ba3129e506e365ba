import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { lastRun } from '../../../src/workspace/runs/runs.ts';
import { workspaceWithRuns } from './helpers/workspaceWithRuns.ts';
import { solutionDifference } from '../../../src/workspace/runs/history.ts';
import { planReplacement, solutionStatus } from '../../../src/workspace/solutionStatus.ts';
import { solutionHash, type SolutionState } from '../../../src/verifier/plan/solution.ts';
import { readSolution } from '../../../src/workspace/readSolution.ts';
import { hostPathOf } from '../../../src/workspace/workPaths.ts';

describe('going from one solution to another', () => {
  const solutions = fc
    .dictionary(fc.constantFrom('/a', '/b/c', '/d'), fc.uint8Array({ maxLength: 3 }))
    .map((files): SolutionState => ({
      files: new Map(Object.entries(files).map(([path, bytes]) => [path as `/${string}`, bytes])),
    }));

  it('writes and deletes exactly what differs', () => {
    fc.assert(
      fc.property(solutions, solutions, (target, now) => {
        const plan = planReplacement(target, now);
        const files = new Map(now.files);
        for (const { path, bytes } of plan.write) files.set(path, bytes);
        for (const path of plan.delete) assert.ok(files.delete(path));
        assert.equal(solutionHash({ files }), solutionHash(target));
        assert.equal(plan.write.length + plan.delete.length, solutionDifference(now, target).length);
      }),
    );
  });
});

describe('the status of a solution', () => {
  const on = workspaceWithRuns();

  it('tells whether the last verdict still holds; runs of the gold do not count', async () => {
    const { workspace, starter, save } = on;
    const statusNow = async () =>
      solutionStatus(workspace.task, await readSolution(workspace), await lastRun(workspace));
    assert.deepEqual(await statusNow(), { edit: 'unchanged', verdict: 'none' });
    await save(starter, '2026-01-01T10:00:00.000Z', 0, 'gold');
    assert.deepEqual(await statusNow(), { edit: 'unchanged', verdict: 'none' });
    await save(starter, '2026-01-01T10:00:01.000Z');
    assert.deepEqual(await statusNow(), { edit: 'unchanged', verdict: 'current' });
    await writeFile(hostPathOf(workspace, '/app/aliases.ini'), 'mine');
    assert.deepEqual(await statusNow(), { edit: 'changed', verdict: 'outdated' });
  });
});
