/** Marks in the gutter where a solution differs from its starter, without a repository. */
import type * as vscode from 'vscode';
import { DisposableStore } from '../platform/disposableStore.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import { STARTER_BYTES_FOLDER, taskUriParts } from '../task/taskUri.ts';

export class StarterMarks implements vscode.QuickDiffProvider {
  readonly #api: typeof vscode;
  readonly #tasks: OpenTasks;
  readonly #store = new DisposableStore();
  #control: vscode.SourceControl | undefined;

  constructor(api: typeof vscode, tasks: OpenTasks) {
    this.#api = api;
    this.#tasks = tasks;
    const show = (): void => this.#show();
    this.#store.add(tasks.onDidAdd(show));
    this.#store.add(tasks.onDidChange(show));
  }

  /** The starter of a file of a solution. Asked by VS Code for every file that is opened. */
  async provideOriginalResource(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
    const found = await this.#tasks.solutionFileAt(uri);
    if (!found) return undefined;
    const { task, path } = found;
    const file = task.workspace.task.family.solution.find((each) => each.path === path);
    if (!file?.starter) return undefined;
    const parts = taskUriParts(task.folder, task.state.taskId, `${STARTER_BYTES_FOLDER}${file.path}`);
    return this.#api.Uri.from(parts);
  }

  dispose(): void {
    this.#control?.dispose();
    this.#store.dispose();
  }

  /** The Source Control view lists every source control, so there is one only while a task is open. */
  #show(): void {
    const isWanted = this.#tasks.all.some(({ state }) => state.gone !== true);
    if (isWanted === (this.#control !== undefined)) return;
    if (!isWanted) {
      this.#control?.dispose();
      this.#control = undefined;
      return;
    }
    const { scm, l10n } = this.#api;
    this.#control = scm.createSourceControl('repairBench', l10n.t('Starter of the task'));
    this.#control.inputBox.visible = false;
    this.#control.quickDiffProvider = this;
  }
}
