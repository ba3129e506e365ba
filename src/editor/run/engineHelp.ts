/** The message for a task that cannot run at all, with the one button that helps. */
import { type CouldNotRun, engineNextStep } from './engineNextStep.ts';
import { type MessageButton, openSettingButton, UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { TaskContext } from '../task/taskContext.ts';
import type { Runtimes } from './runtimes.ts';
import type { TaskOpener } from '../files/taskOpener.ts';

/** Turns a failure into an error to show; `again` repeats what failed, for a button that first makes it possible. */
export type ExplainFailure = (
  task: OpenTask,
  failure: CouldNotRun,
  again: () => Promise<unknown>,
) => Promise<UserFacingError>;

export function engineHelp(context: TaskContext, runtimes: Runtimes, opener: TaskOpener): ExplainFailure {
  return async (task, failure, again) => {
    const step = engineNextStep(failure, await isSandboxAWayOut(context, runtimes, failure));
    const { message, remedies } = failure;
    return new UserFacingError(message, buttonOf(context, opener, { task, step, again }), { remedies });
  };
}

/** Whether the sandbox could run what the engine cannot for lack of an image. */
async function isSandboxAWayOut(
  { settings }: TaskContext,
  runtimes: Runtimes,
  { reason }: CouldNotRun,
): Promise<boolean> {
  const now = settings.current;
  if (reason !== 'image-missing' || now.runtime === 'sandbox') return false;
  return (await runtimes.probe(now, 'sandbox')).available;
}

function buttonOf(
  { api, settings, failures }: TaskContext,
  opener: TaskOpener,
  {
    task,
    step,
    again,
  }: { task: OpenTask; step: ReturnType<typeof engineNextStep>; again: () => Promise<unknown> },
): MessageButton {
  const report = (error: unknown): void => failures.report(error);
  switch (step.kind) {
    case 'use-sandbox':
      return {
        label: api.l10n.t('Use Sandbox'),
        run: async () => {
          await settings.setRuntime('sandbox');
          await again().catch(report);
        },
      };
    case 'open-setting':
      return openSettingButton(api, step.name);
    case 'open-file':
      return {
        label: api.l10n.t('Open {0}', step.file),
        run: () => opener.openTaskFile(task, step.file, step).catch(report),
      };
    case 'show-log':
      return failures.showLog;
  }
}
