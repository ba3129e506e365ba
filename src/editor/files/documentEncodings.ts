/** Keeps Latin-1 solutions whole: however one is opened, it is opened in an encoding that loses no byte. */
import type * as vscode from 'vscode';
import { DisposableStore } from '../platform/disposableStore.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import type { TaskOpener } from './taskOpener.ts';

export class DocumentEncodings {
  readonly #store = new DisposableStore();

  constructor(api: typeof vscode, tasks: OpenTasks, opener: TaskOpener) {
    const reopen = async (document: vscode.TextDocument): Promise<void> => {
      if (document.uri.scheme !== 'file' || document.isDirty) return;
      if (await tasks.findFor(document.uri)) await opener.readInOwnEncoding(document.uri);
    };
    this.#store.add(
      api.workspace.onDidOpenTextDocument((document) => {
        // The editor itself complains about a file that it cannot read.
        reopen(document).catch(() => undefined);
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }
}
