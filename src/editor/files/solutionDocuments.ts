/** Solutions of earlier runs as read-only documents, for comparing. Always UTF-8, as starters are. */
import type * as vscode from 'vscode';
import { isContainerPath, type ContainerPath } from '../../task/containerPath.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import { authorityOf, folderOf } from '../task/taskUri.ts';
import { readableText } from '../platform/text/textEncoding.ts';

const SCHEME = 'repair-bench-solution';

/** A solution other than the one on disk. */
export type EarlierSolution =
  | { readonly kind: 'starter' }
  /** The one that a run verified, kept beside the run. */
  | { readonly kind: 'kept'; readonly hash: string };

export class SolutionDocuments implements vscode.TextDocumentContentProvider {
  readonly #api: typeof vscode;
  readonly #tasks: OpenTasks;

  constructor(api: typeof vscode, tasks: OpenTasks) {
    this.#api = api;
    this.#tasks = tasks;
  }

  register(): vscode.Disposable {
    return this.#api.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  /** The address of a file of an earlier solution; a file that the solution does not have reads as empty. */
  uriOf(task: OpenTask, solution: EarlierSolution, path: ContainerPath): vscode.Uri {
    const which = solution.kind === 'starter' ? 'starter' : solution.hash;
    return this.#api.Uri.from({
      scheme: SCHEME,
      authority: authorityOf(task.folder),
      path: `/${which}${path}`,
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [, which = '', ...names] = uri.path.split('/');
    const path = `/${names.join('/')}`;
    const task = await this.#tasks.load(folderOf(uri.authority));
    const { files } = await readEarlier(
      task,
      which === 'starter' ? { kind: 'starter' } : { kind: 'kept', hash: which },
      this.#api,
    );
    return readableText((isContainerPath(path) ? files.get(path) : undefined) ?? new Uint8Array());
  }
}

/** @throws Error when the solution was not kept; WorkspaceError when what was kept is damaged */
export async function readEarlier(
  task: OpenTask,
  solution: EarlierSolution,
  api: typeof vscode,
): Promise<SolutionState> {
  if (solution.kind === 'starter') {
    const { starterOf } = await import('../../verifier/plan/solution.ts');
    return starterOf(task.workspace.task);
  }
  const { readKeptSolution } = await import('../../workspace/runs/keptSolutions.ts');
  const kept = /^[0-9a-f]{64}$/.test(solution.hash)
    ? await readKeptSolution(task.workspace, solution.hash)
    : undefined;
  if (kept) return kept;
  throw new Error(
    api.l10n.t('The solution of this run was not kept, so you cannot compare it or go back to it.'),
  );
}
