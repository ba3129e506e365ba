/** Sets the context keys that `when` clauses of package.json use. */
import type * as vscode from 'vscode';
import type { CurrentTask } from './task/currentTask.ts';
import { DisposableStore } from './platform/disposableStore.ts';
import { LastDrawn } from './platform/lastDrawn.ts';
import type { OpenTasks } from './task/openTasks.ts';
import { canSaveGold } from './task/taskState.ts';

export class ContextKeys {
  readonly #api: typeof vscode;
  readonly #store = new DisposableStore();
  readonly #last = new LastDrawn<string>();

  constructor(api: typeof vscode, tasks: OpenTasks, current: CurrentTask) {
    this.#api = api;
    const update = (): void => {
      const activity = current.task?.state.activity.kind;
      this.#set('repairBench.hasTask', current.task !== undefined);
      this.#set('repairBench.running', activity !== undefined && activity !== 'idle');
      this.#set('repairBench.hasRun', current.task?.state.run !== undefined);
      this.#set('repairBench.canSaveGold', canSaveGold(current.task?.state));
      this.#set('repairBench.hasGoldFix', current.task?.state.goldFix === true);
      void this.#solutionPaths(tasks);
    };
    this.#store.add(current.onDidChange(update));
    this.#store.add(tasks.onDidAdd(update));
    update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #solutionPaths(tasks: OpenTasks): Promise<void> {
    if (tasks.all.length === 0) return;
    const { hostPathOf } = await import('../workspace/workPaths.ts');
    this.#set(
      'repairBench.solutionPaths',
      tasks.all.flatMap(({ workspace }) => {
        const files = [...workspace.task.family.solution.map(({ path }) => path)];
        return files.map((path) => hostPathOf(workspace, path));
      }),
    );
  }

  #set(key: string, value: unknown): void {
    if (this.#last.changed(key, value)) void this.#api.commands.executeCommand('setContext', key, value);
  }
}
