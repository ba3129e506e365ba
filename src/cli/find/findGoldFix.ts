/** Finds the gold fix and the task that arguments name. */
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { goldFixInTask } from '../../gold/export/exportTask.ts';
import { GoldError } from '../../gold/goldError.ts';
import { type GoldFix, isGoldFix, readGoldFix } from '../../gold/goldFix.ts';
import { goldFolderOf } from '../../gold/goldNames.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../../task/archive/archiveLimits.ts';
import { readTaskArchive } from '../../task/archive/archive.ts';
import { parseTask } from '../../task/parseTask.ts';
import type { Task } from '../../task/task.ts';
import { readPlainFile } from '../../workspace/plainFile.ts';
import { loadWorkspace } from '../../workspace/taskWorkspace.ts';
import { WorkspaceError } from '../../workspace/workspaceError.ts';
import { TASK_FILE } from '../../workspace/workspaceFile.ts';
import type { GoldCheckArguments } from '../input/arguments.ts';
import { CliError } from '../failures/cliError.ts';
import { readRow } from './findTask.ts';
import { here } from './here.ts';

export interface FoundGoldFix {
  readonly goldFix: GoldFix;
  readonly task: Task;
}

/** @throws CliError, GoldError, WorkspaceError, DatasetError, TaskArchiveError */
export async function findGoldFix(
  args: Pick<GoldCheckArguments, 'target' | 'row' | 'task'>,
  signal: AbortSignal,
): Promise<FoundGoldFix> {
  const { target, row, task: named } = args;
  const folder = row === undefined ? await goldFolderAt(target) : undefined;
  if (folder !== undefined) {
    const goldFix = await readGoldFix(folder);
    return { goldFix, task: named ? await taskIn(named, goldFix, signal) : await taskBeside(goldFix) };
  }
  const { task } = await readRow(target, row, signal).catch((error: unknown) => {
    throw row === undefined ? notAGoldFix(target, error) : error;
  });
  const goldFix = goldFixInTask(task, target);
  if (!goldFix) throw notAGoldFix(row === undefined ? target : `${row} of ${target}`);
  return { goldFix, task: named ? await taskIn(named, goldFix, signal) : task };
}

/** The folder that is a gold fix, or that of the workspace at `target`; undefined for anything else. @throws CliError */
async function goldFolderAt(target: string): Promise<string | undefined> {
  await stat(target).catch(() => {
    throw new CliError('not-found', `There is no ${target}.`, 'Check the path.');
  });
  const folder = resolve(target);
  for (const each of [folder, goldFolderOf({ folder })]) if (await isGoldFix(each)) return each;
  return undefined;
}

function notAGoldFix(target: string, cause?: unknown): GoldError {
  return new GoldError(
    'not-a-gold-fix',
    `${here(target)} is neither a gold fix nor a workspace or task that holds one: it has no gold.json.`,
    'Name the folder that "repair-bench gold save" printed.',
    { cause },
  );
}

/** By the row that was named, else the only one, else the one with the path that the gold fix was saved for. */
async function taskIn(
  { dataset, row }: { readonly dataset: string; readonly row: string | undefined },
  { record }: GoldFix,
  signal: AbortSignal,
): Promise<Task> {
  const read = await readRow(dataset, row, signal).catch((error: unknown) => {
    if (error instanceof CliError && error.code === 'no-row') return readRow(dataset, record.task.id, signal);
    throw error;
  });
  return read.task;
}

/** A clone holds the workspace's `task.tar.gz` beside the gold fix, with or without the rest of the workspace. */
async function taskBeside({ folder, record }: GoldFix): Promise<Task> {
  const beside = dirname(folder);
  const workspace = await loadWorkspace(beside);
  if (!(workspace instanceof WorkspaceError)) return workspace.task;
  if (workspace.code !== 'not-a-workspace') throw workspace;
  const file = join(beside, TASK_FILE);
  const bytes = await readPlainFile(file, DEFAULT_ARCHIVE_LIMITS.totalBytes).catch((error: unknown) => {
    if (!(error instanceof WorkspaceError) || error.code !== 'damaged') throw error;
    throw new GoldError(
      'no-task',
      `The task of the gold fix in ${here(folder)} is not there: there is no ${here(file)}.`,
      'Name its dataset with --task DATASET, or clone the whole workspace.',
    );
  });
  const read = await readTaskArchive(bytes);
  if (!read.ok) throw read.error;
  return parseTask(record.task.id, read.files);
}
