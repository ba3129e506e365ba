/** Asks once for each task and kind of spoiler before it shows one; workspace.json keeps the answer. */
import type { Revealable } from '../../workspace/workspaceFile.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { TaskContext } from '../task/taskContext.ts';
import { shortId } from '../task/taskName.ts';
import type { TaskFileSystem } from './taskFileSystem.ts';

export class Reveal {
  readonly #context: TaskContext;
  readonly #files: TaskFileSystem;

  constructor(context: TaskContext, files: TaskFileSystem) {
    this.#context = context;
    this.#files = files;
  }

  /** Whether the person wants to see this kind of spoiler; asks unless workspace.json or the settings say so. */
  async ask(task: OpenTask, kind: Revealable): Promise<boolean> {
    if (task.isRevealed(kind)) return true;
    const { l10n, window } = this.#context.api;
    if (this.#context.settings.current.revealSpoilers === 'always') return this.#reveal(task, kind);
    const show = kind === 'tests' ? l10n.t('Show Tests') : l10n.t('Show Solution');
    const question =
      kind === 'tests'
        ? l10n.t('Show the tests of {0}?', shortId(task.state.taskId))
        : l10n.t('Show the solution of {0}?', shortId(task.state.taskId));
    const detail = l10n.t(
      'A person who solves this task should not see it. You are asked once for each task, and workspace.json records that it was shown.',
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
