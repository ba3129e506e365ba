/** Draws the lenses of every file of a solution, unless a setting turns them off. */
import type * as vscode from 'vscode';
import { DisposableStore } from '../platform/disposableStore.ts';
import { LastDrawn } from '../platform/lastDrawn.ts';
import { type Lens, lensesOf } from './lenses.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import type { SettingsWatch } from '../platform/settings.ts';
import type { TaskContext } from '../task/taskContext.ts';

export class SolutionLenses implements vscode.CodeLensProvider {
  readonly #api: typeof vscode;
  readonly #settings: SettingsWatch;
  readonly #tasks: OpenTasks;
  readonly #store = new DisposableStore();
  readonly #changed: vscode.EventEmitter<void>;
  readonly #drawn = new LastDrawn<OpenTask>();
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor({ api, settings, tasks }: TaskContext) {
    this.#api = api;
    this.#settings = settings;
    this.#tasks = tasks;
    this.#changed = this.#store.add(new api.EventEmitter<void>());
    this.onDidChangeCodeLenses = this.#changed.event;
    this.#store.add(api.languages.registerCodeLensProvider({ scheme: 'file' }, this));
    this.#store.add(tasks.onDidAdd((task) => this.#look(task)));
    this.#store.add(tasks.onDidChange((task) => this.#look(task)));
    this.#store.add(settings.onDidChange('codeLens', () => this.#changed.fire()));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const file = await this.#tasks.solutionFileAt(document.uri);
    if (!file || !this.#settings.current.codeLens) return [];
    const top = new this.#api.Range(0, 0, 0, 0);
    return this.#lensesOf(file.task).map(
      ({ title, command }) =>
        new this.#api.CodeLens(top, {
          title,
          command: command ?? '',
          ...(command === undefined ? {} : { arguments: [document.uri] }),
        }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  #look(task: OpenTask): void {
    if (this.#drawn.changed(task, this.#lensesOf(task))) this.#changed.fire();
  }

  #lensesOf(task: OpenTask): readonly Lens[] {
    return lensesOf(task.state, this.#api.l10n.t);
  }
}
