/**
 * Verifies when the solution is saved, if the person wants that. A later save cancels and replaces the run; a solution
 * that is the starter again needs none: the views say so at once, and a run of what it was before is cancelled.
 */
import type * as vscode from 'vscode';
import { DisposableStore } from '../platform/disposableStore.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import type { RunService } from './runService.ts';
import { readSettings } from '../platform/settings.ts';
import type { Snapshots } from '../task/snapshots.ts';

/** Save All comes as one save per file. */
const SETTLE_MS = 250;

export interface VerifyOnSaveServices {
  readonly api: typeof vscode;
  readonly tasks: OpenTasks;
  readonly runs: RunService;
  readonly snapshots: Snapshots;
  /** Verifies and tells what could not run; never throws. */
  readonly verify: (task: OpenTask) => Promise<void>;
}

export class VerifyOnSave {
  readonly #services: VerifyOnSaveServices;
  readonly #store = new DisposableStore();
  readonly #timers = new Map<OpenTask, NodeJS.Timeout>();

  constructor(services: VerifyOnSaveServices) {
    this.#services = services;
    const { api, tasks, runs } = services;
    this.#store.add(api.workspace.onDidSaveTextDocument((document) => this.#saved(document)));
    // A run that was started by hand is of what was saved.
    this.#store.add(
      runs.onRunEvent(({ kind, run }) => {
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
    const { api, tasks, snapshots } = this.#services;
    const task = tasks.loadedFor(document.uri);
    if (!task || document.uri.scheme !== 'file' || snapshots.isSaving(task)) return;
    if (!readSettings(api).verifyOnSave || !api.workspace.isTrusted) return;
    this.#forget(task);
    const act = (): void => {
      this.#timers.delete(task);
      void this.#act(task);
    };
    this.#timers.set(task, setTimeout(act, SETTLE_MS));
  }

  async #act(task: OpenTask): Promise<void> {
    const { runs, verify } = this.#services;
    await task.refresh();
    if (task.state.solution === 'unchanged') await runs.cancel(task);
    else await verify(task);
  }

  #forget(task: OpenTask): void {
    clearTimeout(this.#timers.get(task));
    this.#timers.delete(task);
  }
}
