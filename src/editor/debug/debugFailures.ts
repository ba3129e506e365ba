/** Why a test cannot be debugged, and what to do about it. */
import type * as vscode from 'vscode';
import { UserFacingError } from '../platform/failureMessage.ts';
import { commandButton } from '../platform/commands/commandTable.ts';
import { plainNotification, plainOutput } from '../platform/text/plainText.ts';
import { PYTHON_DEBUGGER } from './pythonDebugger.ts';

/** As when `test.sh` starts Python by `python -I`, by `sudo` or by a wrapper that sets PYTHONPATH anew. */
export function neverListened(api: typeof vscode, output: string): UserFacingError {
  return new UserFacingError(
    api.l10n.t(
      'The tests ended before a debugger could listen. The way in which test.sh starts them may keep PYTHONPATH away from Python. They printed: {0}',
      plainOutput(output).trim(),
    ),
  );
}

export function noDebugger(api: typeof vscode): UserFacingError {
  const { t } = api.l10n;
  return new UserFacingError(
    t(
      'The sandbox cannot run a debugger. Start Docker or Podman, choose Docker as the runtime, and debug the test again.',
    ),
    commandButton(api, 'repairBench.selectRuntime', t('Select Runtime…')),
  );
}

/** @param why what Python reason, such as `ModuleNotFoundError: No module named 'debugpy'` */
export function noDebugpy(api: typeof vscode, task: string, why: string): UserFacingError {
  const { t } = api.l10n;
  const reason = plainNotification(why);
  if (api.extensions.getExtension(PYTHON_DEBUGGER))
    return new UserFacingError(
      t(
        'debugpy does not run in the image of {0}: {1}. Install a debugpy that fits its Python in environment/Dockerfile, such as `RUN pip install debugpy`.',
        task,
        reason,
      ),
    );
  return new UserFacingError(
    t(
      'The image of {0} has no debugpy that runs: {1}. Install the extension Python Debugger, which brings one, or add `RUN pip install debugpy` to environment/Dockerfile.',
      task,
      reason,
    ),
    {
      label: t('Show Extension'),
      run: () => api.commands.executeCommand('extension.open', PYTHON_DEBUGGER),
    },
  );
}
