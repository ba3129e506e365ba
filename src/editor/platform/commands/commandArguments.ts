/**
 * Every command of the extension with its arguments, so that a link that is built in one file cannot call a command in
 * another one with the wrong ones.
 */
import type { ContainerPath } from '../../../task/containerPath.ts';

/** A file, as VS Code's menus and other extensions name one. */
export interface FileArgument {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly fsPath: string;
}

/** A dataset of the Tasks view. */
export interface DatasetArgument {
  readonly entry: { readonly location: string };
}

/** A row of the Tasks view. */
export interface RowArgument extends DatasetArgument {
  readonly kind: 'row';
  readonly row: number;
  readonly path: string;
}

/** A run of the History view, or what it shows of one. */
export interface RunArgument {
  readonly run: { readonly id: string };
}

/** A place to show: a line of a file, or what `test.sh` printed. */
export type PlaceArgument =
  | { readonly in: 'output' }
  | { readonly in: 'task'; readonly path: string; readonly line: number; readonly column?: number }
  | {
      readonly in: 'solution';
      readonly path: ContainerPath;
      readonly line: number;
      readonly column?: number;
    };

export type HistoryPlaceArgument =
  | { readonly shows: 'output' }
  | { readonly shows: 'gate'; readonly line: number }
  | { readonly shows: 'difference'; readonly path: ContainerPath };

/** A task by the folder of its workspace, a file of it, or its row; without one, the current task is meant. */
export type TaskArgument = string | FileArgument | RowArgument | undefined;
/** A dataset by its location, its file or its node; without one, all of them or none, as the command says. */
export type LocationArgument = string | FileArgument | DatasetArgument | undefined;

type TaskArguments = [task?: TaskArgument];
type FileArguments = [task?: TaskArgument, path?: ContainerPath | undefined];
type DatasetArguments = [dataset?: LocationArgument];
type RunArguments = [run?: RunArgument | undefined];

export interface CommandArguments {
  'repairBench.openDataset': DatasetArguments;
  /** The dataset as owner/name. */
  'repairBench.openFromHub': [repository?: string | undefined];
  'repairBench.openSampleDataset': [];
  'repairBench.openAsDataset': DatasetArguments;
  'repairBench.removeDataset': DatasetArguments;
  'repairBench.refreshDataset': DatasetArguments;
  'repairBench.revealDataset': DatasetArguments;
  'repairBench.copyPath': [node?: RowArgument | DatasetArgument | undefined];
  'repairBench.exportGoldFixes': DatasetArguments;
  'repairBench.filterTasks': DatasetArguments;
  'repairBench.clearFilter': DatasetArguments;
  'repairBench.showMoreTasks': DatasetArguments;
  'repairBench.openTask': [dataset: string, row: number];
  'repairBench.showInstruction': TaskArguments;
  'repairBench.openSolution': FileArguments;
  'repairBench.verify': TaskArguments;
  'repairBench.cancelRun': TaskArguments;
  'repairBench.compareWithStarter': FileArguments;
  'repairBench.resetToStarter': TaskArguments;
  'repairBench.nextFailure': TaskArguments;
  'repairBench.previousFailure': TaskArguments;
  'repairBench.saveGoldFix': TaskArguments;
  'repairBench.checkGoldFix': TaskArguments;
  'repairBench.showTestScript': TaskArguments;
  'repairBench.browseTaskFiles': TaskArguments;
  'repairBench.openTaskFile': [task: TaskArgument, place: PlaceArgument];
  'repairBench.showOutput': TaskArguments;
  /** The run that was clicked, and all that are selected. */
  'repairBench.compareRuns': [run?: RunArgument | undefined, selected?: readonly RunArgument[] | undefined];
  'repairBench.compareRunWithBefore': RunArguments;
  'repairBench.compareRunWithNow': RunArguments;
  'repairBench.restoreRun': RunArguments;
  'repairBench.showRunOutput': RunArguments;
  'repairBench.openHistoryNode': [run: RunArgument, place: HistoryPlaceArgument];
  'repairBench.openShell': TaskArguments;
  'repairBench.showLog': [];
  'repairBench.selectRuntime': [];
  'repairBench.getStarted': [];
  'repairBench.checkSetup': [];
  'repairBench.openSettings': [];
}

export type CommandId = keyof CommandArguments;

export type CommandHandlers = {
  readonly [Id in CommandId]: (...args: CommandArguments[Id]) => unknown;
};
