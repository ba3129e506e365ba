/** "Save as Gold Fix": the solution with reward 1, verified once more and written to the workspace's folder "gold". */
import type * as vscode from 'vscode';
import type { GoldFix } from '../../gold/goldFix.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import { rewardText } from '../../verifier/verdict/verdictFacts.ts';
import { cancellable, type Report } from '../platform/cancellable.ts';
import { plainNotification } from '../platform/text/plainText.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import { runKey } from '../run/runKeys.ts';
import { requireRuntime, type RunContext } from '../run/runContext.ts';
import { planOptionsFrom } from '../platform/settings.ts';
import { canSaveGold, type TaskState } from '../task/taskState.ts';
import { requireTrust } from '../platform/trust.ts';
import { commandButton } from '../platform/commands/commandTable.ts';

/**
 * Asks before it replaces another gold fix; shows progress that can be cancelled, then where the gold fix is.
 * @throws UserFacingError when the solution is not ready for it; GoldError when the run does not confirm it
 */
export async function saveGold(context: RunContext, task: OpenTask): Promise<void> {
  const { api, snapshots } = context;
  requireTrust(api);
  const solution = await snapshots.take(task);
  const because = whyNotYet(api, task.state);
  if (because !== undefined)
    throw new UserFacingError(
      because,
      commandButton(api, 'repairBench.verify', api.l10n.t('Verify'), task.folder),
    );
  const replace = await mayReplace(api, task, solution);
  if (replace === undefined) return;
  const title = api.l10n.t('Saving {0} as a gold fix', task.state.taskId);
  const saved = await cancellable(api, title, (outer, report) =>
    context.queue.run(
      runKey(task, 'save gold'),
      (signal) => save(context, task, { solution, replace, report, signal }),
      outer,
    ),
  );
  // Not awaited: the gold fix is saved, whether or not the person answers.
  if (saved?.kind === 'ran' && saved.value) void tell(api, saved.value);
}

function whyNotYet(api: typeof vscode, state: TaskState): string | undefined {
  const { run, taskId } = state;
  if (canSaveGold(state)) return undefined;
  if (!run)
    return api.l10n.t('{0} has not been verified yet. Only a solution with reward 1 is a gold fix.', taskId);
  if (run.outdated)
    return api.l10n.t(
      'The solution of {0} was changed since it was verified. Only a solution with reward 1 is a gold fix.',
      taskId,
    );
  if (run.verdict.outcome === 'scored')
    return api.l10n.t(
      'The solution of {0} has reward {1}. Only a solution with reward 1 is a gold fix.',
      taskId,
      rewardText(run.verdict.reward),
    );
  return api.l10n.t(
    'The last run of {0} gave no reward. Only a solution with reward 1 is a gold fix.',
    taskId,
  );
}

/** Whether to replace a gold fix; undefined: the person wants to keep it. */
async function mayReplace(
  api: typeof vscode,
  task: OpenTask,
  solution: SolutionState,
): Promise<boolean | undefined> {
  const [{ occupantOf }, { goldFolderOf }, { solutionHash }] = await Promise.all([
    import('../../gold/writeGoldFix.ts'),
    import('../../gold/goldNames.ts'),
    import('../../verifier/plan/solution.ts'),
  ]);
  const there = await occupantOf(goldFolderOf(task.workspace));
  const isOther = there.kind === 'gold-fix' && there.solution !== solutionHash(solution);
  if (!isOther && there.kind !== 'edited') return false;
  const question = isOther
    ? api.l10n.t('{0} has a gold fix of another solution. Replace it?', task.state.taskId)
    : api.l10n.t('The gold fix of {0} was edited since it was saved. Replace it?', task.state.taskId);
  const label = api.l10n.t('Replace');
  const answer = await api.window.showWarningMessage(plainNotification(question), { modal: true }, label);
  return answer === label ? true : undefined;
}

interface Saving {
  readonly solution: SolutionState;
  /** Whether a gold fix that is there may be replaced. */
  readonly replace: boolean;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Undefined: cancelled. */
async function save(
  context: RunContext,
  task: OpenTask,
  { solution, replace, report, signal }: Saving,
): Promise<GoldFix | undefined> {
  const { api, extension, log, parseBash } = context;
  const version = String(extension.extension.packageJSON.version);
  const settings = context.settings.current;
  const again = (): Promise<void> => saveGold(context, task);
  const { saveGoldFix } = await import('../../gold/saveGoldFix.ts');
  const verify = { parseBash: await parseBash(), ...planOptionsFrom(settings) };
  const result = await saveGoldFix(
    { workspace: task.workspace, solution, options: { verify, startedBy: 'person', version, replace } },
    {
      runtime: async () => {
        const chosen = await requireRuntime(context, task, settings, signal, again);
        if (!chosen) return undefined;
        report.report({ message: api.l10n.t('verifying once more without a warm container or trace') });
        return { runtime: chosen.runtime, name: chosen.name };
      },
      sinks: { log: (line) => log.info(line) },
      signal,
    },
  );
  if (result.kind === 'cancelled') return undefined;
  log.info(`Saved the gold fix of ${task.state.taskId} in ${result.goldFix.folder}`);
  return result.goldFix;
}

async function tell(api: typeof vscode, { folder, record }: GoldFix): Promise<void> {
  const { GOLD_PATCH, GOLD_RECORD } = await import('../../gold/goldNames.ts');
  const reveal = api.l10n.t('Reveal Folder');
  const patch = api.l10n.t('Show Patch');
  const text = api.l10n.t(
    'Gold fix of {0} saved: reward {1} again.',
    record.task.id,
    rewardText(record.reward),
  );
  const answer = await api.window.showInformationMessage(plainNotification(text), reveal, patch);
  const at = api.Uri.joinPath(api.Uri.file(folder), answer === patch ? GOLD_PATCH : GOLD_RECORD);
  if (answer === reveal) await api.commands.executeCommand('revealInExplorer', at);
  if (answer === patch) await api.window.showTextDocument(at, { preview: true });
}
