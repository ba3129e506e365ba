// Waiting for a state of the current task.
import * as vscode from 'vscode';
import type { LiveState } from '../../../src/editor/task/taskState.ts';
import type { ShownExtension } from './activateExtension.ts';
import { until } from './until.ts';

/** Waits until the current task is in a state. @throws Error that says what was waited for, and what it is instead */
export async function untilLive(what: string, api: ShownExtension, wanted: LiveState): Promise<void> {
  try {
    await until(what, () => api.liveState() === wanted);
  } catch (error) {
    const { solution, activity, run, folder } = api.state() ?? {};
    const facts = {
      live: api.liveState(),
      folder,
      solution,
      activity,
      run: run?.id,
      outdated: run?.outdated,
    };
    const documents = vscode.workspace.textDocuments.map(
      ({ uri, isDirty, version }) => `${uri.path} (version ${version}${isDirty ? ', dirty' : ''})`,
    );
    throw new Error(`${String(error)}: ${JSON.stringify(facts)}. Open: ${documents.join(', ')}`, {
      cause: error,
    });
  }
}
