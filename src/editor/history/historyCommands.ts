/** The commands of the History view: compare the solutions of runs, go back to one, read what a run printed. */
import type * as vscode from 'vscode';
import { containerBasename, type ContainerPath } from '../../task/containerPath.ts';
import { TEST_SCRIPT } from '../../task/taskLayout.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { HistoryEntry } from '../../workspace/runs/history.ts';
import type { CommandHandlers, RunArgument } from '../platform/commands/commandArguments.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { HistoryView } from './historyView.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { OutputDocuments } from '../verdict/outputDocuments.ts';
import { relativeTime } from '../platform/text/relativeTime.ts';
import { replaceSolution } from '../files/resetSolution.ts';
import { readEarlier, type EarlierSolution, type SolutionDocuments } from '../files/solutionDocuments.ts';
import { readSolutionNow } from '../task/solutionNow.ts';
import type { TaskContext } from '../task/taskContext.ts';
import type { TaskOpener } from '../files/taskOpener.ts';
import { outcomeLabel } from '../../verifier/verdict/words.ts';

export interface HistoryRooms extends TaskContext {
  readonly view: HistoryView;
  readonly documents: SolutionDocuments;
  readonly output: OutputDocuments;
  readonly opener: TaskOpener;
}

/** A run of one task. */
interface Chosen {
  readonly task: OpenTask;
  readonly run: HistoryEntry;
}

/** One side of a comparison. */
type Side = EarlierSolution | { readonly kind: 'now' };

export function historyCommands(rooms: HistoryRooms) {
  const { api, output } = rooms;
  const compareWithBefore = ({ task, run }: Chosen, only?: ContainerPath): Promise<void> =>
    compare(rooms, task, [beforeOf(run), sideOf(run)], titleOf(rooms, run), only);
  return {
    'repairBench.compareRuns': async (node, selected) => {
      const runs = (selected ?? [node]).flatMap((each) => shownRun(rooms, each) ?? []);
      const [newer, older] = [...runs].sort((left, right) => (left.id < right.id ? 1 : -1));
      const task = rooms.view.shown?.task;
      if (!task || !newer || !older || runs.length !== 2)
        throw new UserFacingError(api.l10n.t('Select two runs in the History view to compare them.'));
      const title = `${shortName(rooms, older)} ↔ ${shortName(rooms, newer)}`;
      await compare(rooms, task, [sideOf(older), sideOf(newer)], title);
    },
    'repairBench.compareRunWithBefore': async (node) => {
      const chosen = await choose(rooms, node, api.l10n.t('Compare which run with the one before it?'));
      if (chosen) await compareWithBefore(chosen);
    },
    'repairBench.compareRunWithNow': async (node) => {
      const chosen = await choose(
        rooms,
        node,
        api.l10n.t('Compare the current solution with that of which run?'),
      );
      if (!chosen) return;
      const title = `${shortName(rooms, chosen.run)} ↔ ${api.l10n.t('now')}`;
      await compare(rooms, chosen.task, [sideOf(chosen.run), { kind: 'now' }], title);
    },
    'repairBench.restoreRun': async (node) => {
      const chosen = await choose(rooms, node, api.l10n.t('Go back to the solution of which run?'));
      if (chosen) await restore(rooms, chosen);
    },
    'repairBench.showRunOutput': async (node) => {
      const chosen = await choose(rooms, node, api.l10n.t('Show the output of which run?'));
      if (chosen) await output.showRun(chosen.task, chosen.run);
    },
    'repairBench.openHistoryNode': async (node, place) => {
      const task = rooms.view.shown?.task;
      const run = shownRun(rooms, node);
      if (!task || !run) return;
      if (place.shows === 'output') await output.showRun(task, run);
      else if (place.shows === 'gate') await rooms.opener.openTaskFile(task, TEST_SCRIPT, place);
      else await compareWithBefore({ task, run }, place.path);
    },
  } satisfies Partial<CommandHandlers>;
}

async function compare(
  { api, documents }: HistoryRooms,
  task: OpenTask,
  [left, right]: readonly [Side, Side],
  title: string,
  only?: ContainerPath,
): Promise<void> {
  const [{ solutionDifference }, { hostPathOf }] = await Promise.all([
    import('../../workspace/runs/history.ts'),
    import('../../workspace/workPaths.ts'),
  ]);
  const [before, after] = await Promise.all([read(api, task, left), read(api, task, right)]);
  const paths = solutionDifference(before, after)
    .map(({ path }) => path)
    .filter((path) => only === undefined || path === only);
  const uriOf = (side: Side, { files }: SolutionState, path: ContainerPath): vscode.Uri => {
    if (side.kind !== 'now') return documents.uriOf(task, side, path);
    return files.has(path)
      ? api.Uri.file(hostPathOf(task.workspace, path))
      : documents.uriOf(task, { kind: 'starter' }, '/');
  };
  const pairs = paths.map((path) => [path, uriOf(left, before, path), uriOf(right, after, path)] as const);
  const [first] = pairs;
  if (!first) {
    void api.window.showInformationMessage(api.l10n.t('The two solutions are the same.'));
    return;
  }
  const [path, original, modified] = first;
  if (pairs.length === 1) {
    const name = containerBasename(path);
    await api.commands.executeCommand('vscode.diff', original, modified, `${name}: ${title}`, {
      preview: true,
    });
    return;
  }
  await api.commands.executeCommand(
    'vscode.changes',
    title,
    pairs.map(([each, from, to]) => [api.Uri.file(hostPathOf(task.workspace, each)), from, to]),
  );
}

async function restore({ api, opener }: HistoryRooms, { task, run }: Chosen): Promise<void> {
  const target = await read(api, task, sideOf(run));
  const touched = await replaceSolution(api, task, target);
  const [shown] = touched.filter((path) => target.files.has(path));
  if (touched.length === 0)
    void api.window.showInformationMessage(api.l10n.t('The solution is the same as in this run already.'));
  // Undo acts on the focused editor, so the focus goes to the file that was changed.
  else if (shown !== undefined) await opener.openSolution(task, shown);
}

async function read(api: typeof vscode, task: OpenTask, side: Side): Promise<SolutionState> {
  return side.kind === 'now' ? readSolutionNow(api, task.workspace) : readEarlier(task, side, api);
}

/** The run of a node, or the one that the person picks. */
async function choose(
  rooms: HistoryRooms,
  given: RunArgument | undefined,
  ask: string,
): Promise<Chosen | undefined> {
  const { api, current, view } = rooms;
  const run = shownRun(rooms, given);
  if (run && view.shown) return { task: view.shown.task, run };
  const task = current.required();
  const { entries } = await view.read(task);
  const choices = entries.map((entry) => ({
    label: outcomeLabel(entry.record.verdict, api.l10n.t),
    description: relativeTime(entry.record.at, new Date(), api.l10n.t),
    entry,
  }));
  const picked = await api.window.showQuickPick(choices, { placeHolder: ask });
  return picked && { task, run: picked.entry };
}

function sideOf(run: HistoryEntry): EarlierSolution {
  return { kind: 'kept', hash: run.record.verdict.holdsFor.solution };
}

function beforeOf({ before }: HistoryEntry): EarlierSolution {
  return before === undefined ? { kind: 'starter' } : { kind: 'kept', hash: before };
}

function titleOf(rooms: HistoryRooms, run: HistoryEntry): string {
  const { t } = rooms.api.l10n;
  const before = run.before === undefined ? t('Starter') : t('run before');
  return `${before} ↔ ${shortName(rooms, run)}`;
}

function shortName({ api }: HistoryRooms, { record }: HistoryEntry): string {
  return api.l10n.t('run of {0}', timeOfDay(record.at));
}

function timeOfDay(at: string): string {
  return new Date(at).toLocaleTimeString(undefined, { timeStyle: 'medium' });
}

/** The run as the view shows it. */
function shownRun({ view }: HistoryRooms, given: RunArgument | undefined): HistoryEntry | undefined {
  return view.shown?.history.entries.find(({ id }) => id === given?.run.id);
}
