/** "Go to Next Failure" and back: through the failing places of the run that is shown. */
import type * as vscode from 'vscode';
import { failingPlaces, type FailingPlace, type Here, stepFrom } from './failingPlaces.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import { lineHolds } from './solutionLines.ts';
import { shortId } from '../task/taskName.ts';
import type { TaskOpener } from '../files/taskOpener.ts';
import { taskAddress } from '../task/taskUri.ts';
import { commandButton } from '../platform/commands/commandTable.ts';

/** The failing places whose lines have not changed since the run. */
export function failuresNow(task: OpenTask): readonly FailingPlace[] {
  const { run } = task.state;
  if (!run || !task.solution) return [];
  const holds = lineHolds(run, task.solution.files);
  return failingPlaces(run.verdict).filter(
    ({ place }) => place.in === 'task' || holds(place.path, place.line),
  );
}

/** @throws UserFacingError when there is no failure to go to */
export async function goToFailure(
  api: typeof vscode,
  opener: TaskOpener,
  task: OpenTask,
  direction: 'next' | 'previous',
): Promise<void> {
  const target = stepFrom(failuresNow(task), await whereIs(api.window.activeTextEditor, task), direction);
  if (!target) throw nothingToGoTo(api, task);
  const { place, column } = target;
  const at = { line: place.line, column };
  if (place.in === 'task') await opener.openTaskFile(task, place.path, at);
  else await opener.openSolution(task, place.path, at);
}

async function whereIs(editor: vscode.TextEditor | undefined, task: OpenTask): Promise<Here | undefined> {
  if (!editor) return undefined;
  const { uri } = editor.document;
  const line = editor.selection.active.line + 1;
  const address = taskAddress(uri);
  if (address) return address.folder === task.folder ? { in: 'task', path: address.path, line } : undefined;
  const { containerPathOf } = await import('../../workspace/workPaths.ts');
  const path = uri.scheme === 'file' ? containerPathOf(task.workspace, uri.fsPath) : undefined;
  return path === undefined ? undefined : { in: 'solution', path, line };
}

function nothingToGoTo(api: typeof vscode, task: OpenTask): UserFacingError {
  const { l10n, commands } = api;
  const name = shortId(task.state.taskId);
  const { run } = task.state;
  const verify = commandButton(api, 'repairBench.verify', l10n.t('Verify'), task.folder);
  if (!run) return new UserFacingError(l10n.t('{0} has not been verified yet.', name), verify);
  if (run.outdated)
    return new UserFacingError(
      l10n.t('{0} was changed where its last run failed. Verify it again.', name),
      verify,
    );
  if (run.verdict.outcome === 'scored')
    return new UserFacingError(l10n.t('The last run of {0} has no failure to go to.', name));
  return new UserFacingError(
    l10n.t('The last run of {0} failed, but not at a line of its files. The Run view says why.', name),
    {
      label: l10n.t('Show Run'),
      run: () => commands.executeCommand('repairBench.run.focus'),
    },
  );
}
