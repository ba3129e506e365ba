import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenTask } from '../../../../src/editor/task/openTask.ts';
import { parseTask } from '../../../../src/task/parseTask.ts';
import { readTaskFolder } from '../../../../src/task/archive/taskFolder.ts';
import { solutionHash, type SolutionState } from '../../../../src/verifier/plan/solution.ts';
import { openOrCreateWorkspace } from '../../../../src/workspace/createWorkspace.ts';
import type { TaskWorkspace } from '../../../../src/workspace/taskWorkspace.ts';
import { ROOT } from '../../../host/root.ts';
import { HOLDS, scored } from '../../verifier/helpers/smallVerdicts.ts';

const TASK = 'bugsinpy-0001';
const FOLDER = join(ROOT, 'test/fixtures/tasks', TASK);

function solution(text: string): SolutionState {
  return { files: new Map([['/app/solution.py', Buffer.from(text)]]) };
}

describe('an open task', () => {
  let root: string;
  let workspace: TaskWorkspace;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'repair-bench-open-'));
    const read = await readTaskFolder(FOLDER);
    assert.ok(read.ok);
    const origin = { dataset: FOLDER, format: 'folder', row: 0 } as const;
    ({ workspace } = await openOrCreateWorkspace(root, parseTask(TASK, read.files), origin));
  });
  after(() => rm(root, { recursive: true, force: true }));

  /** A task whose solution is what `text` says, and what it told. */
  const opened = (text: string) => {
    const now = { text, unreadable: undefined as Error | undefined };
    const task = new OpenTask(workspace, async () => {
      if (now.unreadable) throw now.unreadable;
      return solution(now.text);
    });
    const told: string[] = [];
    task.onDidChange(({ solution: how, run }) =>
      told.push(run?.outdated === true ? `${how}, outdated` : how),
    );
    task.onDidChangeSolution(() => told.push('edited'));
    return { now, task, told };
  };

  it('tells of every edit, and of its state only when that is another one', async () => {
    const { now, task, told } = opened('x = 1\n');
    await task.refresh();
    assert.deepEqual(told.splice(0), ['changed', 'edited']);
    for (const text of ['x = 2\n', 'x = 3\n']) {
      now.text = text;
      await task.refresh();
      await task.refresh();
    }
    assert.deepEqual(told.splice(0), ['edited', 'edited']);
    now.unreadable = new Error('It is a folder.');
    await task.refresh();
    await task.refresh();
    assert.deepEqual(told, ['unreadable', 'edited']);
    assert.deepEqual(task.state.unreadable, { message: 'It is a folder.', remedies: [] });
  });

  it('tells of the same activity and the same run once', async () => {
    const { task, told } = opened('x = 1\n');
    await task.refresh();
    told.length = 0;
    task.setActivity({ kind: 'idle' });
    assert.deepEqual(told.splice(0), []);
    task.setActivity({ kind: 'running', phase: undefined });
    task.setPhase('build');
    task.setPhase('build');
    assert.equal(told.splice(0).length, 2);
    const run = { id: 'run 1', verdict: scored(), at: '2026-01-01T00:00:00.000Z' };
    task.setRun(run);
    task.setRun(run);
    assert.deepEqual(told, ['changed, outdated']);
  });

  it('keeps the solution that a run was of, while it holds and when it does no more', async () => {
    const { now, task, told } = opened('x = 1\n');
    await task.refresh();
    told.length = 0;
    const { files } = solution(now.text);
    const holdsFor = { ...HOLDS, task: workspace.task.hash, solution: solutionHash({ files }) };
    task.setRun({ id: 'run 1', verdict: scored({ holdsFor }), at: '2026-01-01T00:00:00.000Z' }, { files });
    now.text = 'x = 2\n';
    await task.refresh();
    now.text = 'x = 1\n';
    await task.refresh();
    assert.deepEqual(told, ['changed', 'changed, outdated', 'edited', 'changed', 'edited']);
    assert.equal(task.state.run?.snapshot, files);
  });

  it('shows a run that another process saved, and neither an older one nor its own a second time', async () => {
    const { task } = opened('x = 1\n');
    await task.refresh();
    const saved = (second: number) => ({
      file: `/work/runs/2026-01-01T00-00-0${second}.000Z-00000000.json`,
      verdict: scored(),
      at: `2026-01-01T00:00:0${second}.000Z`,
    });
    task.showSaved(saved(2));
    assert.equal(task.state.run?.id, saved(2).file);
    task.showSaved(saved(1));
    assert.equal(task.state.run?.id, saved(2).file, 'older');
    task.setRun({ id: 'run 1', verdict: scored(), at: saved(3).at });
    task.noteSaved(saved(3).file);
    task.showSaved(saved(3));
    assert.equal(task.state.run?.id, 'run 1', 'its own');
    task.setActivity({ kind: 'running', phase: undefined });
    task.showSaved(saved(4));
    assert.equal(task.state.run?.id, 'run 1', 'while a run is under way');
    task.setActivity({ kind: 'idle' });
    task.showSaved(saved(4));
    assert.equal(task.state.run?.id, saved(4).file);
  });
});
