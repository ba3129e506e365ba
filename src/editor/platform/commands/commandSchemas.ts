/** Schemas of the arguments of each command. The first command that is called loads them. */
import * as z from 'zod';
import { containerPathSchema } from '../../../task/schemas.ts';
import type { CommandArguments, CommandId } from './commandArguments.ts';

const file = z.object({ scheme: z.string(), authority: z.string(), path: z.string(), fsPath: z.string() });
const dataset = z.object({ entry: z.object({ location: z.string() }) });
const row = dataset.extend({ kind: z.literal('row'), row: z.int().nonnegative(), path: z.string() });
const run = z.object({ run: z.object({ id: z.string() }) });
const line = { line: z.number(), column: z.number().exactOptional() };
const place = z.discriminatedUnion('in', [
  z.object({ in: z.literal('output') }),
  z.object({ in: z.literal('task'), path: z.string(), ...line }),
  z.object({ in: z.literal('solution'), path: containerPathSchema, ...line }),
]);
const historyPlace = z.discriminatedUnion('shows', [
  z.object({ shows: z.literal('output') }),
  z.object({ shows: z.literal('gate'), line: z.number() }),
  z.object({ shows: z.literal('difference'), path: containerPathSchema }),
]);

/** Menus pass what they belong to, such as a group of editors, also where no task is meant. */
const orNone = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const taskOrNone = orNone(z.union([z.string(), file, row]));
const datasetOrNone = orNone(z.union([z.string(), file, dataset]));

/** As many arguments as the command has; a menu may pass more, which are dropped. */
const takes = <T extends [z.ZodType, ...z.ZodType[]]>(...items: T) =>
  z.preprocess(
    (given) =>
      Array.isArray(given) ? Array.from({ length: items.length }, (_, at): unknown => given[at]) : given,
    z.tuple(items),
  );

const nothing = z.preprocess(() => [], z.tuple([]));
const ofTask = takes(taskOrNone);
const ofFile = takes(taskOrNone, orNone(containerPathSchema));
const ofDataset = takes(datasetOrNone);
const ofRun = takes(orNone(run));

/** By command. */
export const COMMAND_SCHEMAS: { readonly [Id in CommandId]: z.ZodType<CommandArguments[Id]> } = {
  'repairBench.openDataset': ofDataset,
  'repairBench.openFromHub': takes(orNone(z.string())),
  'repairBench.openSampleDataset': nothing,
  'repairBench.openAsDataset': ofDataset,
  'repairBench.removeDataset': ofDataset,
  'repairBench.refreshDataset': ofDataset,
  'repairBench.revealDataset': ofDataset,
  'repairBench.copyPath': takes(orNone(z.union([row, dataset]))),
  'repairBench.exportGoldFixes': ofDataset,
  'repairBench.filterTasks': ofDataset,
  'repairBench.clearFilter': ofDataset,
  'repairBench.showMoreTasks': ofDataset,
  'repairBench.openTask': takes(z.string(), z.int().nonnegative()),
  'repairBench.showInstruction': ofTask,
  'repairBench.openSolution': ofFile,
  'repairBench.verify': ofTask,
  'repairBench.cancelRun': ofTask,
  'repairBench.compareWithStarter': ofFile,
  'repairBench.resetToStarter': ofTask,
  'repairBench.nextFailure': ofTask,
  'repairBench.previousFailure': ofTask,
  'repairBench.saveGoldFix': ofTask,
  'repairBench.checkGoldFix': ofTask,
  'repairBench.showTestScript': ofTask,
  'repairBench.browseTaskFiles': ofTask,
  'repairBench.openTaskFile': takes(taskOrNone, place),
  'repairBench.showOutput': ofTask,
  'repairBench.compareRuns': takes(orNone(run), orNone(z.array(run))),
  'repairBench.compareRunWithBefore': ofRun,
  'repairBench.compareRunWithNow': ofRun,
  'repairBench.restoreRun': ofRun,
  'repairBench.showRunOutput': ofRun,
  'repairBench.openHistoryNode': takes(run, historyPlace),
  'repairBench.openShell': ofTask,
  'repairBench.showLog': nothing,
  'repairBench.selectRuntime': nothing,
  'repairBench.getStarted': nothing,
  'repairBench.checkSetup': nothing,
  'repairBench.openSettings': nothing,
};

/** The arguments of a command, checked; undefined when it cannot be called with these. */
export function argumentsOf<Id extends CommandId>(
  id: Id,
  given: readonly unknown[],
): CommandArguments[Id] | undefined {
  const schema: z.ZodType<CommandArguments[Id]> = COMMAND_SCHEMAS[id];
  return schema.safeParse(given).data;
}
