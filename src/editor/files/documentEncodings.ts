/** Keeps Latin-1 solutions whole: whoever opens one of them, in whatever way, gets it in an encoding that loses nothing. */
import type * as vscode from 'vscode';
import { DisposableStore } from '../platform/disposableStore.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import type { TaskOpener } from './taskOpener.ts';

export class DocumentEncodings {
  readonly #store = new DisposableStore();

  constructor(api: typeof vscode, tasks: OpenTasks, opener: TaskOpener) {
    const look = async (document: vscode.TextDocument): Promise<void> => {
      if (document.uri.scheme !== 'file' || document.isDirty) return;
      if (await tasks.findFor(document.uri)) await opener.readInOwnEncoding(document.uri);
    };
    this.#store.add(
      api.workspace.onDidOpenTextDocument((document) => {
        // A file that cannot be read is for the editor to complain about.
        look(document).catch(() => undefined);
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }
}
