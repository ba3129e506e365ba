import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inWords } from '../../../../src/fault/remedy.ts';
import { verdictSchema } from '../../../../src/verifier/verdict/verdict.ts';
import { runsFolderOf } from '../../../../src/workspace/runs/runFiles.ts';
import { firstRunOf, lastRun, type RunRecord, saveRun } from '../../../../src/workspace/runs/runs.ts';
import type { SolutionState } from '../../../../src/verifier/plan/solution.ts';
import { ROOT } from '../../../host/root.ts';
import { listRuns } from '../../../host/listRuns.ts';
import { workspaceWithRuns } from '../helpers/workspaceWithRuns.ts';
import { openOrCreateWorkspace } from '../../../../src/workspace/createWorkspace.ts';
import type { TaskWorkspace } from '../../../../src/workspace/taskWorkspace.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';
import { ORIGIN, sampleTask, temporaryFolder } from '../helpers/sampleTasks.ts';

describe('saved runs', () => {
  const on = workspaceWithRuns();
  const { changed, runs, save, shown } = on;

  it('keeps the order in which runs ended when the clock is set back, with the times as they were', async () => {
    await save(changed(['/app/new.py', 'a']), '2030-01-01T10:00:00.000Z');
    await save(changed(['/app/new.py', 'b']), '2026-01-01T10:00:00.000Z');
    await save(changed(['/app/new.py', 'c']), '2026-01-01T10:00:05.000Z');
    assert.deepEqual(
      (await shown()).map(({ at }) => at),
      ['2026-01-01T10:00:05.000Z', '2026-01-01T10:00:00.000Z', '2030-01-01T10:00:00.000Z'],
    );
    assert.equal((await lastRun(on.workspace))?.record.at, '2026-01-01T10:00:05.000Z');
  });

  it('loses no run of many that end in the same millisecond', async () => {
    const files = await Promise.all(
      Array.from({ length: 8 }, async () => (await save(on.starter, '2026-01-01T10:00:00.000Z')).file),
    );
    assert.equal(new Set(files).size, 8);
    assert.equal((await listRuns(on.workspace)).runs.length, 8);
    assert.deepEqual(
      (await readdir(runs())).filter((name) => name.endsWith('.tmp')),
      [],
    );
  });

  it('reads no folder full of other things to its end', async () => {
    await mkdir(runs(), { recursive: true });
    const name = (index: number) => `2026-01-01T10-00-00.${String(index).padStart(3, '0')}Z-00000000.json`;
    for (let index = 0; index < 150; index++) await writeFile(join(runs(), name(index)), '{');
    const { runs: found, damaged } = await listRuns(on.workspace);
    assert.deepEqual([found.length, damaged.length], [0, 100]);
    assert.equal(await lastRun(on.workspace), undefined);
  });

  it('tells who verified a solution first', async () => {
    const [own, tools] = [changed(['/app/new.py', 'a']), changed(['/app/new.py', 'b'])];
    const at = (second: string) => `2026-01-01T10:00:${second}.000Z`;
    await save(tools, at('00'), 1, 'gold', 'agent');
    assert.equal(await firstRunOf(on.workspace, tools), undefined, 'no run of the solution itself');
    await save(own, at('01'));
    await save(tools, at('02'), 0, 'solution', 'agent');
    await save(tools, at('03'), 1);
    await save(own, at('04'), 1, 'solution', 'agent');
    const first = async (solution: SolutionState) =>
      (await firstRunOf(on.workspace, solution))?.record.startedBy;
    assert.deepEqual([await first(own), await first(tools)], ['person', 'agent']);
    assert.equal(await first(on.starter), undefined);
  });

  it('holds plain text that a person can read', async () => {
    const { file } = await save(on.starter, '2026-01-01T10:00:00.000Z');
    assert.match(
      await readFile(file, 'utf8'),
      /^\{\n {2}"version": 1,\n {2}"at": "2026-01-01T10:00:00\.000Z"/,
    );
  });
});

describe('the runs of a workspace', () => {
  const root = temporaryFolder();
  let workspace: TaskWorkspace;
  beforeEach(async () => {
    ({ workspace } = await openOrCreateWorkspace(root(), await sampleTask('bugsinpy-0001'), ORIGIN));
  });
  const run = (solution: string, subject: RunRecord['subject'] = 'solution') =>
    ({
      startedBy: 'person',
      subject,
      runtime: { kind: 'docker', name: 'Docker 28.2.2' },
      verdict: scored({ holdsFor: { task: workspace.task.hash, solution, image: 'sha256:0' } }),
    }) as const;

  it('are listed newest first, under names that sort by time', async () => {
    await saveRun(workspace, run('a'.repeat(64)), undefined, new Date('2026-11-30T12:00:00.123Z'));
    await saveRun(workspace, run('b'.repeat(64)), undefined, new Date('2026-11-30T12:00:01.000Z'));
    const names = await readdir(join(workspace.folder, 'runs'));
    assert.deepEqual(names.sort(), [
      '2026-11-30T12-00-00.123Z-aaaaaaaa.json',
      '2026-11-30T12-00-01.000Z-bbbbbbbb.json',
    ]);
    const { runs } = await listRuns(workspace);
    assert.deepEqual(
      runs.map(({ record }) => record.verdict.holdsFor.solution[0]),
      ['b', 'a'],
    );
  });

  it('tolerate files that were damaged, and a folder that was deleted', async () => {
    const saved = await saveRun(workspace, run('a'.repeat(64)), undefined, new Date(0));
    const bad = join(workspace.folder, 'runs', '2030-01-01T00-00-00.000Z-00000000.json');
    await writeFile(bad, '{');
    const list = await listRuns(workspace);
    assert.deepEqual([list.runs.map(({ file }) => file), list.damaged], [[saved.file], [bad]]);
    assert.equal((await lastRun(workspace))?.file, saved.file);
    await rm(join(workspace.folder, 'runs'), { recursive: true });
    assert.deepEqual(await listRuns(workspace), { runs: [], damaged: [] });
    await saveRun(workspace, run('a'.repeat(64)), undefined, new Date(0));
  });

  it('are not written through a link', async () => {
    await rm(join(workspace.folder, 'runs'), { recursive: true });
    await symlink(root(), join(workspace.folder, 'runs'));
    await assert.rejects(saveRun(workspace, run('a'.repeat(64)), undefined, new Date(0)), /is not a folder/);
  });
});

describe('a saved run whose verdict has version 1', () => {
  const NAME = '2025-06-03T09-14-05.123Z-bbbbbbbb.json';
  const folder = temporaryFolder();

  it('is read with its next step as a remedy in words', async () => {
    const workspace = { folder: folder() };
    await mkdir(runsFolderOf(workspace));
    await copyFile(join(ROOT, 'test/fixtures/runs', NAME), join(runsFolderOf(workspace), NAME));
    const verdict = (await lastRun(workspace))?.record.verdict;
    assert.ok(verdict?.outcome === 'unscored');
    assert.deepEqual(verdict.remedies, [
      inWords(
        'Look for an endless loop in the solution, or raise the limit with the setting repairBench.timeoutSeconds.',
      ),
    ]);
    assert.deepEqual(
      verdict.warnings.map(({ code, remedies }) => [code, remedies]),
      [['no-network', undefined]],
    );
    // It is a verdict of today through and through: nothing of the old form is left in it.
    assert.deepEqual(verdictSchema.parse(verdict), verdict);
  });
});
