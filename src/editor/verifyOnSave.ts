/** Verifies when the solution is saved, if the person wants that. A later save cancels and replaces the run. */
import type * as vscode from 'vscode';
import { DisposableStore } from './disposableStore.ts';
import type { OpenTask } from './openTask.ts';
import type { OpenTasks } from './openTasks.ts';
import { readSettings } from './settings.ts';
import type { Snapshots } from './snapshots.ts';

/** Save All comes as one save per file. */
const SETTLE_MS = 250;

export class VerifyOnSave {
  readonly #store = new DisposableStore();
  readonly #timers = new Map<OpenTask, NodeJS.Timeout>();

  constructor(
    api: typeof vscode,
    tasks: OpenTasks,
    snapshots: Snapshots,
    verify: (task: OpenTask) => Promise<unknown>,
  ) {
    this.#store.add(
      api.workspace.onDidSaveTextDocument((document) => {
        const task = tasks.loadedFor(document.uri);
        if (!task || document.uri.scheme !== 'file' || snapshots.isSaving(task)) return;
        if (!readSettings(api).verifyOnSave || !api.workspace.isTrusted) return;
        clearTimeout(this.#timers.get(task));
        this.#timers.set(
          task,
          setTimeout(() => {
            this.#timers.delete(task);
            void verify(task);
          }, SETTLE_MS),
        );
      }),
    );
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#store.dispose();
  }
}
