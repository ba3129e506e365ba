import assert from 'node:assert/strict';
import { HistoryView } from '../../../../src/editor/history/historyView.ts';
import type { OpenTask } from '../../../../src/editor/task/openTask.ts';
import { saveRun } from '../../../../src/workspace/runs/runs.ts';
import { renderTree } from '../../../render/renderTree.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';
import { holdsFor, openedTasks, until } from '../helpers/openedTasks.ts';

describe('the History view in VS Code', () => {
  const opened = openedTasks();
  const seen = () => {
    const { fake, tasks, current, owned, open } = opened();
    const failures: unknown[] = [];
    const view = owned.add(new HistoryView(fake.api, tasks, current, (error) => failures.push(error)));
    const tree = fake.trees[0];
    assert.ok(tree);
    return { view, tree, current, open, failures };
  };

  async function saveReward(task: OpenTask, reward: number): Promise<void> {
    const verdict = scored({ reward, holdsFor: holdsFor(task) });
    const runtime = { kind: 'docker', name: 'Docker' } as const;
    const run = { startedBy: 'person', subject: 'solution', runtime, verdict } as const;
    await saveRun(task.workspace, run, await task.readSolution(), new Date());
  }

  it('reads the disk once it is seen, and again for a run that was saved', async () => {
    const { view, tree, current, open, failures } = seen();
    const task = await open('bugsinpy-0001');
    await saveReward(task, 0);
    current.set(task);
    await view.refresh();
    assert.equal(await renderTree(view), '');
    tree.see(true);
    await view.refresh();
    assert.equal(tree.description, 'bugsinpy-0001');
    assert.match(await renderTree(view), /^\[error\] Reward 0 · .* \(just now\)$/m);
    await saveReward(task, 1);
    task.noteRuns();
    await until('both runs are shown', async () =>
      /^\[pass\] Reward 1 [^]*^\[error\] Reward 0 /m.test(await renderTree(view)),
    );
    assert.deepEqual(failures, []);
  });

  it('reads again for the runs of its task, and not for those of another', async () => {
    const { view, tree, current, open } = seen();
    const task = await open('bugsinpy-0001');
    const other = await open('bugsinpy-0014');
    current.set(task);
    tree.see(true);
    await view.refresh();
    const read: OpenTask[] = [];
    view.read = async (of) => {
      read.push(of);
      return { entries: [], damaged: [] };
    };
    other.noteRuns();
    assert.deepEqual(read, []);
    task.noteRuns();
    assert.deepEqual(read, [task]);
    await view.refresh();
    assert.equal(await renderTree(view), '');
  });

  it('tells of a history that cannot be read, and reads it again when asked', async () => {
    const { view, tree, current, open, failures } = seen();
    const task = await open('bugsinpy-0001');
    await saveReward(task, 1);
    current.set(task);
    tree.see(true);
    await view.refresh();
    const broken = new Error('The disk is gone.');
    view.read = () => Promise.reject(broken);
    await view.refresh();
    assert.deepEqual(failures, [broken]);
    Reflect.deleteProperty(view, 'read');
    await view.refresh();
    assert.match(await renderTree(view), /^\[pass\] Reward 1/);
  });

  it('listens no more once it is disposed', async () => {
    const { view, tree, current, open, failures } = seen();
    current.set(await open('bugsinpy-0001'));
    tree.see(true);
    await view.refresh();
    view.dispose();
    assert.ok(tree.isDisposed);
    view.read = () => assert.fail('It reads the disk.');
    const other = await open('bugsinpy-0014');
    current.set(other);
    other.noteRuns();
    tree.see(true);
    assert.deepEqual(failures, []);
  });
});
