import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Memento } from 'vscode';
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import { DatasetLibrary } from '../../../../src/editor/datasets/datasetLibrary.ts';
import { RowMarks } from '../../../../src/editor/datasets/rowMarks.ts';
import { TasksView } from '../../../../src/editor/datasets/tasksView.ts';
import { renderTree, withoutIcon } from '../../../render/renderTree.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';
import { temporaryFolder } from '../../workspace/helpers/sampleTasks.ts';
import { holdsFor, openedTasks, runOf } from '../helpers/openedTasks.ts';

const FORGETFUL: Memento = { keys: () => [], get: () => undefined, update: async () => undefined };

describe('the Tasks view in VS Code', () => {
  const opened = openedTasks();
  const folder = temporaryFolder();
  const workspaces = temporaryFolder();
  const seen = async () => {
    const { fake, tasks, owned, open } = opened();
    const dataset = join(folder(), 'two-tasks');
    for (const task of ['alpha', 'beta']) {
      await mkdir(join(dataset, task), { recursive: true });
      await writeFile(join(dataset, task, 'instruction.md'), '# Repair\n');
      await writeFile(join(dataset, task, 'task.toml'), 'version = "1.0"\n');
    }
    const library = owned.add(new DatasetLibrary(openDataset, FORGETFUL, FORGETFUL));
    const marks = owned.add(new RowMarks(workspaces, tasks));
    const view = owned.add(new TasksView(fake.api, library, marks));
    const tree = fake.trees[0];
    assert.ok(tree);
    const openRow = (row: number) => open('bugsinpy-0001', { dataset, format: 'folder', row });
    return { dataset, library, view, tree, openRow };
  };

  it('draws datasets with their rows, in words and in icons', async () => {
    const { dataset, library, view } = await seen();
    await library.add(dataset);
    assert.equal(await renderTree(view, withoutIcon), 'two-tasks 2 tasks\n  alpha #0\n  beta #1');
    assert.equal(
      await renderTree(view),
      '[database] two-tasks (2 tasks)\n  [circle-outline] alpha (#0)\n  [circle-outline] beta (#1)',
    );
    const entry = library.entry(dataset);
    assert.ok(entry);
    library.setFilter(entry, 'gamma');
    assert.equal(
      await renderTree(view),
      '[database] two-tasks (2 tasks · filter "gamma")\n  [info] No task matches "gamma"',
    );
  });

  it('draws the one row again whose mark has changed, and none when it has not', async () => {
    const { dataset, library, view, tree, openRow } = await seen();
    await library.add(dataset);
    const task = await openRow(1);
    const [root] = await view.getChildren();
    const [, beta] = await view.getChildren(root);
    tree.redrawn.length = 0;
    task.setActivity({ kind: 'waiting' });
    assert.deepEqual(tree.redrawn, []);
    task.setRun(runOf(scored({ reward: 1, holdsFor: holdsFor(task) })));
    assert.deepEqual(tree.redrawn, [beta]);
    assert.match(
      await renderTree(view),
      /\n {2}\[circle-outline\] alpha \(#0\)\n {2}\[pass-filled\] beta \(reward 1 · #1\)$/,
    );
  });

  it('draws a dataset again that changed, and not the others', async () => {
    const { dataset, library, view, tree } = await seen();
    const entry = await library.add(dataset);
    const [node] = await view.getChildren();
    assert.ok(node);
    tree.redrawn.length = 0;
    library.setFilter(entry, 'alpha');
    assert.deepEqual(tree.redrawn, [node]);
    assert.equal(view.getTreeItem(node).label, basename(dataset));
  });

  it('listens no more once it is disposed', async () => {
    const { dataset, library, view, tree } = await seen();
    view.dispose();
    assert.ok(tree.isDisposed);
    await library.add(dataset);
    assert.deepEqual(tree.redrawn, []);
  });
});
