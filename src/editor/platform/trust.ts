/** Nothing of a task runs in a workspace that the person does not trust. */
import type * as vscode from 'vscode';
import { UserFacingError } from './failureMessage.ts';

/** @throws UserFacingError when the workspace is not trusted */
export function requireTrust(api: typeof vscode): void {
  if (api.workspace.isTrusted) return;
  throw new UserFacingError(
    api.l10n.t(
      "This workspace is not trusted. Verifying runs the task's own scripts, so trust the workspace first.",
    ),
    {
      label: api.l10n.t('Manage Workspace Trust'),
      run: () => api.commands.executeCommand('workbench.trust.manage'),
    },
  );
}
