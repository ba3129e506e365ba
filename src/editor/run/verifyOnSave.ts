/**
 * Verifies when the solution is saved, if the setting says so. A later save cancels and replaces the run. A solution that
 * is the starter again is not verified: the views say so at once, and a run under way is cancelled.
 */
import type * as vscode from 'vscode';
import { DisposableStore } from '../platform/disposableStore.ts';
import { logDecision } from '../task/logDecision.ts';
import type { OpenTask } from '../task/openTask.ts';
import { type EditorContext, verifyAndTell } from './editorContext.ts';

/** Milliseconds to wait for more saves: Save All saves file by file. */
const SETTLE_MS = 250;

export class VerifyOnSave {
  readonly #context: EditorContext;
  readonly #store = new DisposableStore();
  readonly #timers = new Map<OpenTask, NodeJS.Timeout>();

  constructor(context: EditorContext) {
    this.#context = context;
    const { api, tasks, runs } = context;
    this.#store.add(api.workspace.onDidSaveTextDocument((document) => this.#saved(document)));
    // A run that was started by hand verifies what was saved.
    this.#store.add(
      runs.onRunProgress(({ kind, run }) => {
        if (kind === 'asked') this.#forget(run.task);
      }),
    );
    this.#store.add(
      tasks.onDidChange((task) => {
        if (task.state.gone === true) this.#forget(task);
      }),
    );
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#store.dispose();
  }

  #saved(document: vscode.TextDocument): void {
    const { api, log, settings, snapshots, tasks } = this.#context;
    const task = tasks.loadedFor(document.uri);
    if (!task || document.uri.scheme !== 'file' || !settings.current.verifyOnSave) return;
    if (snapshots.isSaving(task))
      return logDecision(log, task, 'a run saved it, so the save starts no other');
    if (!api.workspace.isTrusted)
      return logDecision(log, task, 'saved, and not verified in an untrusted workspace');
    this.#forget(task);
    const act = (): void => {
      this.#timers.delete(task);
      void this.#act(task);
    };
    this.#timers.set(task, setTimeout(act, SETTLE_MS));
  }

  async #act(task: OpenTask): Promise<void> {
    const { failures, log, runs } = this.#context;
    await task.refresh();
    if (task.state.solution === 'unchanged') {
      logDecision(log, task, 'saved as the starter, so it is not verified');
      await runs.cancel(task);
    } else await verifyAndTell(this.#context, task).catch(failures.report);
  }

  #forget(task: OpenTask): void {
    clearTimeout(this.#timers.get(task));
    this.#timers.delete(task);
  }
}
