// "Export Gold Fixes…" inside VS Code: the dialog's file is written, told, and opened; and what goes wrong is said.
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { parseTask } from '../../src/task/parseTask.ts';
import type { Task } from '../../src/task/task.ts';
import { readTaskFolder } from '../../src/task/archive/taskFolder.ts';
import { type SolutionState, starterOf } from '../../src/verifier/plan/solution.ts';
import { goldFixFor, keepGoldFix } from '../unit/gold/helpers/goldFixes.ts';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { answeringMessages, replaceWindowFunction } from './support/dialogs.ts';
import { configure, putBackSettings } from './support/settings.ts';
import { ROOT } from '../host/root.ts';
import { FIXTURES } from './support/sources.ts';
import { until } from './support/until.ts';

describe('exporting gold fixes', function () {
  this.timeout(120_000);
  let api: ShownExtension;
  let folder = '';
  let dataset = '';

  beforeEach(async () => {
    api = await activateExtension();
    folder = await mkdtemp(join(tmpdir(), 'repair-bench-export-'));
    dataset = join(folder, 'unsolved.parquet');
    await copyFile(join(ROOT, 'media/samples/tasks.parquet'), dataset);
    await configure({ workspaceFolder: join(folder, 'tasks') });
    await vscode.commands.executeCommand('repairBench.openDataset', dataset);
  });
  afterEach(async () => {
    for (const name of ['unsolved.parquet', 'solved.parquet'])
      await vscode.commands.executeCommand('repairBench.removeDataset', join(folder, name));
    await putBackSettings();
    await rm(folder, { recursive: true, force: true });
  });

  let proposed: string | undefined;

  async function exportTo(target: string, ...answers: readonly string[]): Promise<readonly string[]> {
    const undo = replaceWindowFunction('showSaveDialog', async (options: vscode.SaveDialogOptions) => {
      proposed = options.defaultUri?.fsPath;
      return vscode.Uri.file(target);
    });
    try {
      return await answeringMessages(answers, async (said) => {
        await vscode.commands.executeCommand('repairBench.exportGoldFixes', dataset);
        await until('something is said', () => said.length > 0);
      });
    } finally {
      undo();
    }
  }

  it('writes the file of the dialog and opens it', async () => {
    const task = await fixture();
    keepGoldFix(join(folder, 'tasks', 'one', 'gold'), goldFixFor(task, solved(task)));
    const other = { ...task, id: 'stranger' };
    keepGoldFix(join(folder, 'tasks', 'two', 'gold'), goldFixFor(other, solved(task)));
    const said = await exportTo(join(folder, 'solved.parquet'), 'Open Dataset');
    assert.deepEqual(said, [
      'solved.parquet was written: 10 rows, 1 with a gold fix, 9 untouched. 1 gold fix of another dataset was left out.',
    ]);
    assert.equal(proposed, join(folder, 'unsolved-gold.parquet'));
    await until('the new dataset is open', async () => (await api.tasksView()).includes('solved.parquet'));
  });

  it('proposes no place inside the extension for the sample dataset', async () => {
    const { extensionPath } = vscode.extensions.getExtension('repair-bench.repair-bench') ?? {};
    dataset = join(extensionPath ?? '', 'media/samples/tasks.parquet');
    await vscode.commands.executeCommand('repairBench.openSampleDataset');
    const task = await fixture();
    keepGoldFix(join(folder, 'tasks', 'one', 'gold'), goldFixFor(task, solved(task)));
    await exportTo(join(folder, 'solved.parquet'));
    assert.equal(
      proposed,
      join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'tasks-gold.parquet'),
    );
    await vscode.commands.executeCommand('repairBench.removeDataset', dataset);
  });

  it('asks for the dataset when there are several, and draws no icon of their names', async () => {
    const hostile = join(folder, '$(zap).parquet');
    await copyFile(dataset, hostile);
    await vscode.commands.executeCommand('repairBench.openDataset', hostile);
    const offered: string[] = [];
    const undo = replaceWindowFunction('showQuickPick', async (items: readonly vscode.QuickPickItem[]) => {
      offered.push(...items.map(({ label }) => label));
    });
    try {
      await vscode.commands.executeCommand('repairBench.exportGoldFixes');
    } finally {
      undo();
      await vscode.commands.executeCommand('repairBench.removeDataset', hostile);
    }
    assert.deepEqual(offered.filter((label) => /zap|unsolved/.test(label)).sort(), [
      '$\u2060(zap).parquet',
      'unsolved.parquet',
    ]);
  });

  it('says that there is no gold fix, and that the dataset itself is never changed', async () => {
    const none = await exportTo(join(folder, 'solved.parquet'));
    assertIncludes(none.join(), 'There is no folder');
    const task = await fixture();
    keepGoldFix(join(folder, 'tasks', 'one', 'gold'), goldFixFor(task, solved(task)));
    const said = await exportTo(dataset);
    assertIncludes(
      said.join(),
      'is the dataset that is read, and that is never changed. Choose another target.',
    );
    assert.deepEqual((await readdir(folder)).sort(), ['tasks', 'unsolved.parquet']);
  });
});

async function fixture(): Promise<Task> {
  const read = await readTaskFolder(join(FIXTURES, 'manybugs-0007'));
  assert.ok(read.ok);
  return parseTask('manybugs-0007', read.files);
}

/** Any change will do: nothing is run. */
function solved(task: Task): SolutionState {
  const files = [...starterOf(task).files].map(
    ([path, bytes]) => [path, Buffer.concat([bytes, Buffer.from('/* solved */\r\n')])] as const,
  );
  return { files: new Map(files) };
}
