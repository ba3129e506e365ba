/**
 * Every command of the extension, typed. A unit test holds this table and package.json to each other,
 * and a handler that is missing does not compile.
 */
import type * as vscode from 'vscode';

export const COMMAND_IDS = [
  'repairBench.openDataset',
  'repairBench.openFromHub',
  'repairBench.openSampleDataset',
  'repairBench.openAsDataset',
  'repairBench.removeDataset',
  'repairBench.refreshDataset',
  'repairBench.revealDataset',
  'repairBench.copyPath',
  'repairBench.exportGoldFixes',
  'repairBench.filterTasks',
  'repairBench.clearFilter',
  'repairBench.showMoreTasks',
  'repairBench.openTask',
  'repairBench.showInstruction',
  'repairBench.openSolution',
  'repairBench.verify',
  'repairBench.cancelRun',
  'repairBench.compareWithStarter',
  'repairBench.resetToStarter',
  'repairBench.nextFailure',
  'repairBench.previousFailure',
  'repairBench.saveGoldFix',
  'repairBench.checkGoldFix',
  'repairBench.showTestScript',
  'repairBench.browseTaskFiles',
  'repairBench.openTaskFile',
  'repairBench.showOutput',
  'repairBench.compareRuns',
  'repairBench.compareRunWithBefore',
  'repairBench.compareRunWithNow',
  'repairBench.restoreRun',
  'repairBench.showRunOutput',
  'repairBench.openHistoryNode',
  'repairBench.openShell',
  'repairBench.showLog',
  'repairBench.selectRuntime',
  'repairBench.getStarted',
  'repairBench.checkSetup',
  'repairBench.openSettings',
] as const;

export type CommandId = (typeof COMMAND_IDS)[number];

/** Commands that only views and links use; they are hidden from the palette. */
export const INTERNAL_COMMANDS: ReadonlySet<CommandId> = new Set<CommandId>([
  'repairBench.openAsDataset',
  'repairBench.removeDataset',
  'repairBench.refreshDataset',
  'repairBench.revealDataset',
  'repairBench.copyPath',
  'repairBench.showMoreTasks',
  'repairBench.openTask',
  'repairBench.openTaskFile',
  'repairBench.compareRuns',
  'repairBench.openHistoryNode',
]);

/** Arguments come from menus, links and other extensions, so a handler checks what it gets. */
export type CommandHandler = (...args: readonly unknown[]) => unknown;
export type CommandHandlers = Readonly<Record<CommandId, CommandHandler>>;

/** Registers all commands. `failed` hears of what a handler throws, so that no failure goes unseen. */
export function registerCommands(
  api: typeof vscode,
  handlers: CommandHandlers,
  failed: (error: unknown, id: CommandId) => Promise<void>,
): vscode.Disposable {
  const registered = COMMAND_IDS.map((id) =>
    api.commands.registerCommand(id, async (...args: unknown[]): Promise<unknown> => {
      try {
        return await handlers[id](...args);
      } catch (error) {
        await failed(error, id);
        return undefined;
      }
    }),
  );
  return api.Disposable.from(...registered);
}
