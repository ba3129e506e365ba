/** Asks, once per task and kind, before a person sees what a solver should not; the answer is kept in workspace.json. */
import type * as vscode from 'vscode';
import type { Revealable } from '../../workspace/workspaceFile.ts';
import type { OpenTask } from '../task/openTask.ts';
import { readSettings } from '../platform/settings.ts';
import { shortId } from '../task/taskName.ts';
import type { TaskFileSystem } from './taskFileSystem.ts';

export class Reveal {
  readonly #api: typeof vscode;
  readonly #files: TaskFileSystem;

  constructor(api: typeof vscode, files: TaskFileSystem) {
    this.#api = api;
    this.#files = files;
  }

  /** Whether the person may see this kind of spoiler; asks when that is not known yet and the settings do not tell. */
  async ask(task: OpenTask, kind: Revealable): Promise<boolean> {
    if (task.isRevealed(kind)) return true;
    const { l10n, window } = this.#api;
    if (readSettings(this.#api).revealSpoilers === 'always') return this.#reveal(task, kind);
    const show = kind === 'tests' ? l10n.t('Show Tests') : l10n.t('Show Solution');
    const question =
      kind === 'tests'
        ? l10n.t('Show the tests of {0}?', shortId(task.state.taskId))
        : l10n.t('Show the solution of {0}?', shortId(task.state.taskId));
    const detail = l10n.t(
      'Somebody who solves this task should not see it. Asked once per task; that it was shown is recorded in workspace.json.',
    );
    const answer = await window.showWarningMessage(question, { modal: true, detail }, show);
    return answer === show && this.#reveal(task, kind);
  }

  async #reveal(task: OpenTask, kind: Revealable): Promise<true> {
    const { markRevealed } = await import('../../workspace/taskWorkspace.ts');
    task.setWorkspace(await markRevealed(task.workspace, kind, new Date()));
    this.#files.revealed(task);
    return true;
  }
}
