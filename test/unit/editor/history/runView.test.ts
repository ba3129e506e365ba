import assert from 'node:assert/strict';
import { RunView } from '../../../../src/editor/history/runView.ts';
import { renderTree } from '../../../render/renderTree.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';
import { holdsFor, openedTasks, runOf } from '../helpers/openedTasks.ts';

describe('the Run view in VS Code', () => {
  const opened = openedTasks();
  const seen = () => {
    const { fake, current, owned, open } = opened();
    const view = owned.add(new RunView(fake.api, current));
    const tree = fake.trees[0];
    assert.ok(tree);
    return { view, tree, current, open };
  };

  it('draws the run of the current task: each node with its icon, and the whole with the name of the task', async () => {
    const { view, tree, current, open } = seen();
    assert.equal(await renderTree(view), '');
    const task = await open('bugsinpy-0001');
    current.set(task);
    task.setRun(runOf(scored()));
    assert.equal(tree.id, 'repairBench.run');
    assert.equal(tree.description, 'bugsinpy-0001');
    const text = await renderTree(view);
    assert.match(text, /^\[history\] Reward 0 \(outdated: the solution has changed\)$/m);
    assert.match(text, /^\[pass\] solution.py exists \(passed · line 20\)$/m);
    assert.match(text, /^\[error\] test_solution.py passes \(.*\)\n {2}\[pass\] test_one /m);
    assert.match(text, /^\[circle-outline\] style \(not reached · line 50\)$/m);
  });

  it('is drawn again when its task changes, and not for another task or for what changes nothing', async () => {
    const { tree, current, open } = seen();
    const task = await open('bugsinpy-0001');
    const other = await open('bugsinpy-0014');
    current.set(task);
    tree.redrawn.length = 0;
    other.setRun(runOf(scored()));
    task.setActivity({ kind: 'idle' });
    assert.deepEqual(tree.redrawn, []);
    task.setActivity({ kind: 'waiting' });
    assert.deepEqual(tree.redrawn, [undefined]);
  });

  it('knows the gate of a case, as VS Code asks when it reveals one', async () => {
    const { view, current, open } = seen();
    const task = await open('bugsinpy-0001');
    current.set(task);
    task.setRun(runOf(scored()));
    const gate = view.getChildren().find(({ children }) => children.length > 0);
    assert.ok(gate);
    const [testCase] = view.getChildren(gate);
    assert.ok(testCase);
    assert.equal(view.getParent(testCase), gate);
  });

  it('selects what decided only while the view is seen', async () => {
    const { view, tree, current, open } = seen();
    const task = await open('bugsinpy-0001');
    current.set(task);
    task.setRun(runOf(scored({ holdsFor: holdsFor(task) })));
    await view.selectDecisive();
    assert.deepEqual(tree.revealed, []);
    tree.see(true);
    await view.selectDecisive();
    const decisive = view.getChildren().filter(({ label }) => label === 'test_solution.py passes');
    assert.equal(decisive.length, 1);
    assert.deepEqual(tree.revealed, decisive);
  });

  it('listens no more once it is disposed', async () => {
    const { view, tree, current, open } = seen();
    const task = await open('bugsinpy-0001');
    current.set(task);
    view.dispose();
    assert.ok(tree.isDisposed);
    const before = tree.description;
    current.set(await open('bugsinpy-0014'));
    assert.equal(tree.description, before);
  });
});
