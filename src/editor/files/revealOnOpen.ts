/** Asks when a link opened a hidden file, as from the Problems panel: once for each task and kind of spoiler. */
import type * as vscode from 'vscode';
import { DisposableStore } from '../platform/disposableStore.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import type { Reveal } from './reveal.ts';
import { spoilerOf } from './spoilers.ts';
import type { TaskContext } from '../task/taskContext.ts';
import { taskAddress } from '../task/taskUri.ts';

export class RevealOnOpen {
  readonly #store = new DisposableStore();
  /** A person who said no is not asked again when the file merely comes to the front. */
  readonly #asked = new Set<string>();

  constructor({ api, tasks, failures }: TaskContext, reveal: Reveal) {
    this.#store.add(
      api.window.onDidChangeActiveTextEditor((editor) => {
        if (!editor) return;
        this.#askAbout(tasks, reveal, editor.document.uri).catch(failures.report);
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #askAbout(tasks: OpenTasks, reveal: Reveal, uri: vscode.Uri): Promise<void> {
    const address = taskAddress(uri);
    const spoiler = address && spoilerOf(address.path);
    if (!address || !spoiler) return;
    const task = await tasks.findFor(uri);
    const key = `${address.folder}\0${spoiler}`;
    if (!task || task.isRevealed(spoiler) || this.#asked.has(key)) return;
    this.#asked.add(key);
    await reveal.ask(task, spoiler);
  }
}
