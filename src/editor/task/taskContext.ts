/** What nearly every part of the editor needs, made once for a window. */
import type * as vscode from 'vscode';
import type { DisposableStore } from '../platform/disposableStore.ts';
import { Failures } from '../platform/failureMessage.ts';
import { SettingsWatch } from '../platform/settings.ts';
import { CurrentTask } from './currentTask.ts';
import { OpenTasks } from './openTasks.ts';

/** For rooms that do not run anything; those that do take the `EditorContext`, which has the runs too. */
export interface TaskContext {
  readonly api: typeof vscode;
  /** The extension's own folder, version, secrets and memory. */
  readonly extension: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly failures: Failures;
  readonly settings: SettingsWatch;
  readonly tasks: OpenTasks;
  readonly current: CurrentTask;
}

/** What it makes ends with `store`. */
export function taskContext(
  api: typeof vscode,
  extension: vscode.ExtensionContext,
  store: DisposableStore,
): TaskContext {
  const log = store.add(api.window.createOutputChannel('Repair Bench', { log: true }));
  const tasks = store.add(new OpenTasks(api, log));
  return {
    api,
    extension,
    log,
    failures: new Failures(api, log),
    settings: new SettingsWatch(api),
    tasks,
    current: store.add(new CurrentTask(api, tasks)),
  };
}
