/** Takes the solution as it is for a run: saved first, then read. */
import type * as vscode from 'vscode';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from './openTask.ts';
import { requireWorkspace } from './workspaceGone.ts';

export class Snapshots {
  readonly #api: typeof vscode;
  readonly #saving = new Map<OpenTask, number>();

  constructor(api: typeof vscode) {
    this.#api = api;
  }

  /** Whether it is a snapshot that saves the solution just now, and not the person. */
  isSaving(task: OpenTask): boolean {
    return this.#saving.has(task);
  }

  /**
   * @throws UserFacingError when the workspace is gone or a file cannot be saved; WorkspaceError when the workspace is
   * damaged, or holds what cannot be part of a solution
   */
  async take(task: OpenTask): Promise<SolutionState> {
    // Saving would make the file of a workspace that is gone again.
    await requireWorkspace(this.#api, task);
    this.#saving.set(task, (this.#saving.get(task) ?? 0) + 1);
    try {
      await saveSolution(this.#api, task);
    } finally {
      const left = (this.#saving.get(task) ?? 1) - 1;
      if (left > 0) this.#saving.set(task, left);
      else this.#saving.delete(task);
    }
    return task.readSolution();
  }
}

/** Saves every unsaved editor of the solution. @throws UserFacingError when one cannot be saved */
async function saveSolution(api: typeof vscode, task: OpenTask): Promise<void> {
  const { containerPathOf } = await import('../../workspace/workPaths.ts');
  for (const document of api.workspace.textDocuments) {
    if (!document.isDirty || document.uri.scheme !== 'file') continue;
    if (containerPathOf(task.workspace, document.uri.fsPath) === undefined) continue;
    if (!(await saves(api, document)))
      throw new UserFacingError(
        api.l10n.t('{0} could not be saved, so it was not verified.', document.uri.fsPath),
        {
          label: api.l10n.t('Open Solution'),
          run: () => api.window.showTextDocument(document),
        },
      );
  }
}

/** How long auto save may take that was under way already. */
const AUTO_SAVE_MS = 2000;

/** Whether the document is on disk afterwards. While auto save is at work VS Code refuses to save a second time. */
async function saves(api: typeof vscode, document: vscode.TextDocument): Promise<boolean> {
  if ((await document.save()) || !document.isDirty) return true;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      saving.dispose();
      resolve();
    };
    const timer = setTimeout(end, AUTO_SAVE_MS);
    const saving = api.workspace.onDidSaveTextDocument((saved) => {
      if (saved === document) end();
    });
  });
  return !document.isDirty || document.save();
}
