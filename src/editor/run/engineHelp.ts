/** What to say when nothing of a task can run, with the one button that helps. */
import type * as vscode from 'vscode';
import { type CouldNotRun, engineNextStep } from './engineNextStep.ts';
import {
  type Failures,
  type MessageButton,
  openSettingButton,
  UserFacingError,
} from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { Runtimes } from './runtimes.ts';
import { readSettings, writeRuntime } from '../platform/settings.ts';
import type { TaskOpener } from '../files/taskOpener.ts';

export interface EngineHelpServices {
  readonly api: typeof vscode;
  readonly runtimes: Runtimes;
  readonly opener: TaskOpener;
  readonly failures: Failures;
}

/** The failure as an error to show; `again` is what was tried, for a button that makes it possible. */
export type ExplainFailure = (
  task: OpenTask,
  failure: CouldNotRun,
  again: () => Promise<unknown>,
) => Promise<UserFacingError>;

export function engineHelp(services: EngineHelpServices): ExplainFailure {
  return async (task, failure, again) => {
    const step = engineNextStep(failure, await isSandboxAWayOut(services, failure));
    const { message, remedies } = failure;
    return new UserFacingError(message, buttonOf(services, task, step, again), { remedies });
  };
}

/** An engine that answers and cannot get an image is of no use; the sandbox needs none. */
async function isSandboxAWayOut(
  { api, runtimes }: EngineHelpServices,
  { reason }: CouldNotRun,
): Promise<boolean> {
  const settings = readSettings(api);
  if (reason !== 'image-missing' || settings.runtime === 'sandbox') return false;
  return (await runtimes.probe(settings, 'sandbox')).available;
}

function buttonOf(
  { api, opener, failures }: EngineHelpServices,
  task: OpenTask,
  step: ReturnType<typeof engineNextStep>,
  again: () => Promise<unknown>,
): MessageButton {
  const report = (error: unknown): void => failures.report(error);
  switch (step.kind) {
    case 'use-sandbox':
      return {
        label: api.l10n.t('Use Sandbox'),
        run: async () => {
          await writeRuntime(api, 'sandbox');
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
