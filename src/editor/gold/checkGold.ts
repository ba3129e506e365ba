/** "Check Gold Fix": checks that the gold fix of a workspace is as it was saved and still gets its reward, from its files alone. */
import type * as vscode from 'vscode';
import type { GoldCheck } from '../../gold/checkGoldFix.ts';
import type { GoldFix } from '../../gold/goldFix.ts';
import { didRun, oracleFailure, rewardText } from '../../verifier/verdict/verdictFacts.ts';
import { cancellable, type Report } from '../platform/cancellable.ts';
import { fullOutcome } from '../verdict/fullOutcome.ts';
import { plainNotification } from '../platform/text/plainText.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import { runKey } from '../run/runKeys.ts';
import { requireRuntime, type RunContext } from '../run/runContext.ts';
import { planOptionsFrom } from '../platform/settings.ts';
import { shortId } from '../task/taskName.ts';
import { requireTrust } from '../platform/trust.ts';
import { requireWorkspace } from '../task/workspaceGone.ts';
import { commandButton } from '../platform/commands/commandTable.ts';

/**
 * Shows progress that can be cancelled, then whether the gold fix holds, and where to look if it does not.
 * @throws UserFacingError when there is no gold fix or nothing can run; GoldError when it cannot be read
 */
export async function checkGold(context: RunContext, task: OpenTask): Promise<void> {
  const { api, queue } = context;
  requireTrust(api);
  await requireWorkspace(api, task);
  const goldFix = await goldFixOf(api, task);
  const title = api.l10n.t('Checking the gold fix of {0}', shortId(task.state.taskId));
  const check = await cancellable(api, title, (outer, report) =>
    queue.run(runKey(task, 'check gold'), (signal) => replay(context, task, goldFix, report, signal), outer),
  );
  // Not awaited: the check is done, whether or not the person answers.
  if (check?.kind === 'ran' && check.value)
    void tell(context, task, goldFix, check.value).catch(context.failures.warn);
}

async function goldFixOf(api: typeof vscode, task: OpenTask): Promise<GoldFix> {
  const [{ hasGoldFix, readGoldFix }, { goldFolderOf }] = await Promise.all([
    import('../../gold/goldFix.ts'),
    import('../../gold/goldNames.ts'),
  ]);
  if (await hasGoldFix(task.workspace)) return readGoldFix(goldFolderOf(task.workspace));
  throw new UserFacingError(
    api.l10n.t(
      '{0} has no gold fix yet. Verify its solution, then save it as one when it has reward 1.',
      shortId(task.state.taskId),
    ),
    commandButton(api, 'repairBench.verify', api.l10n.t('Verify'), task.folder),
  );
}

/** Undefined: cancelled. */
async function replay(
  context: RunContext,
  task: OpenTask,
  goldFix: GoldFix,
  report: Report,
  signal: AbortSignal,
): Promise<GoldCheck | undefined> {
  const { api, log, parseBash } = context;
  const settings = context.settings.current;
  const again = (): Promise<void> => checkGold(context, task);
  const { checkGoldFix } = await import('../../gold/checkGoldFix.ts');
  const options = { parseBash: await parseBash(), ...planOptionsFrom(settings) };
  const check = await checkGoldFix(
    { goldFix, task: task.workspace.task, options },
    {
      runtime: async () => {
        const chosen = await requireRuntime(context, task, settings, signal, again);
        if (!chosen) throw new api.CancellationError();
        report.report({
          message: api.l10n.t('running solve.sh and the verifier without a warm container or trace'),
        });
        return chosen.runtime;
      },
      sinks: { log: (line) => log.info(line) },
      signal,
    },
  );
  if (check.verdict?.outcome === 'engine-error') throw await context.explain(task, check.verdict, again);
  return check.verdict?.outcome === 'cancelled' ? undefined : check;
}

async function tell(
  { api, log }: RunContext,
  task: OpenTask,
  goldFix: GoldFix,
  check: GoldCheck,
): Promise<void> {
  const [{ goldFixHolds: holds }, { GOLD_RECORD }] = await Promise.all([
    import('../../gold/checkGoldFix.ts'),
    import('../../gold/goldNames.ts'),
  ]);
  const { t } = api.l10n;
  const holding = holds(check);
  const text = holding ? holdingText(api, task, check) : failingText(api, task, check);
  const places = check.findings.map(
    ({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`} ${message}`,
  );
  log.info([text, ...places].join('\n'));
  const finding = check.findings.find(({ file }) => goldFix.files.has(file));
  const { file, line = 1 } = finding ?? { file: GOLD_RECORD };
  const [open, showLog] = [t('Open {0}', file), t('Show Log')];
  const message = plainNotification(text);
  const answer = holding
    ? await api.window.showInformationMessage(message, open)
    : await api.window.showWarningMessage(message, open, showLog);
  if (answer === showLog) log.show(true);
  if (answer !== open) return;
  const at = new api.Position(line - 1, 0);
  const uri = api.Uri.joinPath(api.Uri.file(goldFix.folder), ...file.split('/'));
  await api.window.showTextDocument(uri, { preview: true, selection: new api.Range(at, at) });
}

function holdingText({ l10n }: typeof vscode, task: OpenTask, { verdict, notes }: GoldCheck): string {
  const reward = verdict?.outcome === 'scored' ? rewardText(verdict.reward) : '';
  const holds = l10n.t(
    'The gold fix of {0} holds: nothing was edited, and the reward is {1} again.',
    shortId(task.state.taskId),
    reward,
  );
  return [holds, ...notes].join(' ');
}

function failingText({ l10n }: typeof vscode, task: OpenTask, { findings, verdict }: GoldCheck): string {
  const name = shortId(task.state.taskId);
  const [first, ...others] = findings;
  if (first) {
    const edited = l10n.t(
      'The gold fix of {0} was changed since it was saved, or belongs to another task. Nothing was run. {1}',
      name,
      first.message,
    );
    if (others.length === 0) return edited;
    const more =
      others.length === 1
        ? l10n.t('1 more is in the log.')
        : l10n.t('{0} more are in the log.', others.length);
    return `${edited} ${more}`;
  }
  const script = verdict && didRun(verdict) ? oracleFailure(verdict) : undefined;
  return [
    // Without a reward the check says nothing about the gold fix.
    verdict && verdict.outcome !== 'scored'
      ? l10n.t('The gold fix of {0} could not be checked.', name)
      : l10n.t('The gold fix of {0} does not hold.', name),
    ...(verdict ? [fullOutcome(verdict, l10n.t)] : []),
    ...(script === undefined ? [] : [script]),
  ].join(' ');
}
