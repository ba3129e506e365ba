/**
 * The task that commands and views are about when no other is named: the one whose editor or panel was active last. It
 * stays current while the focus is on a panel, a view or a file of no task.
 */
import type * as vscode from 'vscode';
import { ChangeEvent } from '../platform/changeEvent.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import type { OpenTask } from './openTask.ts';
import type { OpenTasks } from './openTasks.ts';

export class CurrentTask {
  readonly #api: typeof vscode;
  readonly #tasks: OpenTasks;
  readonly #store = new DisposableStore();
  readonly #changed = new ChangeEvent<OpenTask | undefined>();
  /** Another task became the current one, or the current one changed. */
  readonly onDidChange = this.#changed.on;
  #task: OpenTask | undefined;
  #switches = 0;

  constructor(api: typeof vscode, tasks: OpenTasks) {
    this.#api = api;
    this.#tasks = tasks;
    this.#store.add(api.window.onDidChangeActiveTextEditor((editor) => void this.#follow(editor)));
    this.#store.add(
      tasks.onDidChange((task) => {
        if (task === this.#task) this.#changed.fire(task);
      }),
    );
    const visible = [api.window.activeTextEditor, ...api.window.visibleTextEditors];
    void (async () => {
      for (const editor of visible) if (!this.#task) await this.#follow(editor);
    })();
  }

  get task(): OpenTask | undefined {
    return this.#task;
  }

  /** The current task, for what cannot do without one. @throws UserFacingError when no task is open */
  required(): OpenTask {
    if (this.#task) return this.#task;
    const { commands, l10n } = this.#api;
    throw new UserFacingError(l10n.t('No task is open. Open one from the Tasks view.'), {
      label: l10n.t('Show Tasks'),
      run: () => commands.executeCommand('repairBench.tasks.focus'),
    });
  }

  set(task: OpenTask): void {
    this.#switches++;
    if (task === this.#task) return;
    this.#task = task;
    this.#changed.fire(task);
  }

  dispose(): void {
    this.#store.dispose();
    this.#changed.dispose();
  }

  async #follow(editor: vscode.TextEditor | undefined): Promise<void> {
    if (!editor) return;
    const switches = ++this.#switches;
    const task = await this.#tasks.findFor(editor.document.uri);
    // A person may have gone on to another editor while this one's task was being found.
    if (task && switches === this.#switches) this.set(task);
  }
}
