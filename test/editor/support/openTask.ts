// Opening tasks as a person does, until their solution is in an editor.
import * as vscode from 'vscode';
import type { ShownExtension } from './activateExtension.ts';
import { FIXTURES } from './sources.ts';
import { until } from './until.ts';
import { taskWithScript, writeDataset } from './writeDataset.ts';

/** Opens a fixture by its row in the Tasks view. */
export async function openFixture(api: ShownExtension, task: string): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand('repairBench.openAsDataset', vscode.Uri.file(FIXTURES));
  await vscode.commands.executeCommand('repairBench.openTask', FIXTURES, await rowOfFixture(api, task));
  return until(`${task} is in an editor`, () => {
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.scheme === 'file' && document.uri.fsPath.includes(`${task}-`),
    );
    return api.state()?.taskId === task ? editor : undefined;
  });
}

/** Opens the first row of a dataset. */
export async function openFirstRow(api: ShownExtension, dataset: string): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand('repairBench.openAsDataset', vscode.Uri.file(dataset));
  await vscode.commands.executeCommand('repairBench.openTask', dataset, 0);
  return until('the task is in an editor', () => {
    const folder = api.state()?.folder;
    return vscode.window.visibleTextEditors.find(
      ({ document }) => folder !== undefined && document.uri.fsPath.startsWith(folder),
    );
  });
}

/** Opens a task whose verifier is `script`. */
export async function openTaskWithScript(
  api: ShownExtension,
  task: string,
  script: string,
): Promise<vscode.TextEditor> {
  return openFirstRow(api, await writeDataset(task, taskWithScript(script)));
}

async function rowOfFixture(api: ShownExtension, task: string): Promise<number> {
  const line = await until(`the Tasks view shows ${task}`, async () =>
    (await api.tasksView()).split('\n').find((each) => each.trim().startsWith(`${task} `)),
  );
  return Number(/#(\d+)/.exec(line)?.[1]);
}
