/** The error for a workspace that was moved or deleted while its task was open, with the step that helps. */
import type * as vscode from 'vscode';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from './openTask.ts';
import { commandButton } from '../platform/commands/commandTable.ts';

/** @throws UserFacingError when the workspace is gone; WorkspaceError when it is damaged */
export async function requireWorkspace(api: typeof vscode, task: OpenTask): Promise<void> {
  const { readFacts } = await import('../../workspace/taskWorkspace.ts');
  await readFacts(task.folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'not-a-workspace')
      throw workspaceGone(api, task);
    throw error;
  });
}

/** Says that the task can be opened again from its dataset. */
export function workspaceGone(api: typeof vscode, task: OpenTask): UserFacingError {
  const { origin } = task.workspace.facts;
  return new UserFacingError(
    api.l10n.t(
      'The workspace {0} is gone: it was moved or deleted. Open the task again to get a new one.',
      task.folder,
    ),
    commandButton(api, 'repairBench.openTask', api.l10n.t('Open Task Again'), origin.dataset, origin.row),
  );
}
