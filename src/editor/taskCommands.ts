/** The commands of one task. Each finds its task by its argument, else uses the current one. */
import type { ContainerPath } from '../task/containerPath.ts';
import { TEST_SCRIPT } from '../task/taskLayout.ts';
import { checkGold } from './gold/checkGold.ts';
import type { CommandHandlers, TaskArgument } from './platform/commands/commandArguments.ts';
import type { DatasetLibrary } from './datasets/datasetLibrary.ts';
import { goToFailure } from './verdict/goToFailure.ts';
import type { InstructionPanels } from './instruction/instructionPanel.ts';
import { openRow } from './datasets/openRow.ts';
import type { OpenTask } from './task/openTask.ts';
import type { OutputDocuments } from './verdict/outputDocuments.ts';
import { plainLabel } from './platform/text/plainText.ts';
import type { Reveal } from './files/reveal.ts';
import { resetSolution } from './files/resetSolution.ts';
import { type EditorContext, verifyAndTell } from './run/editorContext.ts';
import { openTaskShell } from './run/taskShell.ts';
import { saveGold } from './gold/saveGold.ts';
import { spoilerOf } from './files/spoilers.ts';
import type { TaskOpener } from './files/taskOpener.ts';
import { requireWorkspace } from './task/workspaceGone.ts';

/** The rooms that these commands use. */
export interface TaskRooms extends EditorContext {
  readonly library: DatasetLibrary;
  readonly opener: TaskOpener;
  readonly reveal: Reveal;
  readonly panels: InstructionPanels;
  readonly output: OutputDocuments;
}

export function taskCommands(rooms: TaskRooms) {
  const { api, current, opener, panels, runs, output } = rooms;
  const find = (given: TaskArgument): Promise<OpenTask> => findTask(rooms, given);
  return {
    'repairBench.openTask': async (location, row) => {
      const task = await openRow(rooms, rooms.library, location, row);
      current.set(task);
      if (task.workspace.task.family.solution.length > 0) await opener.openSolution(task);
      await panels.show(task);
    },
    'repairBench.showInstruction': async (given) => {
      const task = await find(given);
      current.set(task);
      await panels.show(task);
    },
    'repairBench.openSolution': async (given, path) => {
      await opener.openSolution(await find(given), path);
    },
    'repairBench.verify': async (given) => verifyAndTell(rooms, await find(given)),
    'repairBench.cancelRun': async (given) => runs.cancel(await find(given)),
    'repairBench.compareWithStarter': async (given, path) => {
      const task = await find(given);
      await opener.compareWithStarter(task, path ?? (await solutionFileIn(task, given)));
    },
    'repairBench.resetToStarter': async (given) => {
      const task = await find(given);
      await requireWorkspace(api, task);
      await resetSolution(api, task);
      // Undo acts on the focused editor, so the focus goes to the file that was reset.
      if (task.workspace.task.family.solution.length > 0) await opener.openSolution(task);
    },
    'repairBench.nextFailure': async (given) => goToFailure(api, opener, await find(given), 'next'),
    'repairBench.previousFailure': async (given) => goToFailure(api, opener, await find(given), 'previous'),
    'repairBench.checkGoldFix': async (given) => checkGold(rooms, await find(given)),
    'repairBench.saveGoldFix': async (given) => saveGold(rooms, await find(given)),
    'repairBench.showTestScript': async (given) => {
      await opener.openTaskFile(await find(given), TEST_SCRIPT);
    },
    'repairBench.browseTaskFiles': async (given) => browse(rooms, await find(given)),
    'repairBench.openTaskFile': async (given, place) => {
      const task = await find(given);
      if (place.in === 'output') await output.show(task);
      else if (place.in === 'task') await opener.openTaskFile(task, place.path, place);
      else await opener.openSolution(task, place.path, place);
    },
    'repairBench.showOutput': async (given) => output.show(await find(given)),
    'repairBench.openShell': async (given) => openTaskShell(rooms, rooms.reveal, await find(given)),
  } satisfies Partial<CommandHandlers>;
}

/** The editor's own files, menus, links and nodes name a task in different ways. */
async function findTask(rooms: TaskRooms, given: TaskArgument): Promise<OpenTask> {
  const { api, tasks, current } = rooms;
  if (typeof given === 'string') return tasks.load(given);
  if (given && 'row' in given) return openRow(rooms, rooms.library, given.entry.location, given.row);
  const ofFile = given && (await tasks.findFor(api.Uri.from(given)));
  if (ofFile) return ofFile;
  return current.required();
}

/** The file of the solution in which a command was started; undefined: in none, so the first one is meant. */
async function solutionFileIn(task: OpenTask, given: TaskArgument): Promise<ContainerPath | undefined> {
  if (typeof given !== 'object' || !('fsPath' in given)) return undefined;
  const { containerPathOf } = await import('../workspace/workPaths.ts');
  return containerPathOf(task.workspace, given.fsPath);
}

async function browse({ api, opener }: TaskRooms, task: OpenTask): Promise<void> {
  const paths = [...task.workspace.task.files.keys()].sort();
  const items = paths.map((path) => {
    const spoiler = spoilerOf(path);
    const hidden = spoiler !== undefined && !task.isRevealed(spoiler);
    return {
      label: `$(${hidden ? 'eye-closed' : 'file'}) ${plainLabel(path)}`,
      description: hidden ? api.l10n.t('hidden until you reveal it') : '',
      path,
    };
  });
  const chosen = await api.window.showQuickPick(items, {
    placeHolder: api.l10n.t('Files of {0}, as shipped (read-only)', task.state.taskId),
  });
  if (chosen) await opener.openTaskFile(task, chosen.path);
}
