// The extension under test, and what a person sees of it as text.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/editor/extensionApi.ts';
import { type LiveState, liveStateOf, type TaskState } from '../../../src/editor/task/taskState.ts';
import { recordTestRuns } from '../../render/recordTestRuns.ts';
import { renderTestItems } from '../../render/renderTestItems.ts';
import { renderTree, withoutIcon } from '../../render/renderTree.ts';

const EXTENSION_ID = 'repair-bench.repair-bench';

/** What the extension shows right now. */
export interface ShownExtension {
  /** The current task's state; undefined when no task is current. */
  readonly state: () => TaskState | undefined;
  readonly liveState: () => LiveState | undefined;
  readonly statusText: () => string;
  /** The views as text, one line a node. */
  readonly tasksView: () => Promise<string>;
  /** Its first line says which task it is of. */
  readonly runView: () => Promise<string>;
  /** Empty while the view is not seen. */
  readonly historyView: () => Promise<string>;
  readonly testingView: () => string;
  /** Test runs since the extension was first activated by a test, oldest first. */
  readonly testRuns: () => readonly string[];
}

/** Gives what it shows once it is active. */
export async function activateExtension(): Promise<ShownExtension> {
  const extension = vscode.extensions.getExtension<ExtensionApi>(EXTENSION_ID);
  assert.ok(extension, `${EXTENSION_ID} is not installed`);
  const { current, tasksView, runView, historyView, status, testController } = await extension.activate();
  return {
    state: () => current.task?.state,
    liveState: () => current.task && liveStateOf(current.task.state),
    statusText: () => status.item.text,
    tasksView: () => renderTree(tasksView, withoutIcon),
    runView: async () => `${runView.view.description ?? ''}\n${await renderTree(runView)}`,
    historyView: () => renderTree(historyView),
    testingView: () => renderTestItems(testController.items),
    testRuns: recordTestRuns(testController),
  };
}
