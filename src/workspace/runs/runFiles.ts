/** The folder `runs/`, and the names of runs in it: they sort by the order in which runs ended, whatever the clock says. */
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceFolder } from '../workPaths.ts';
import { fileSystemError, systemCode, WorkspaceError } from '../workspaceError.ts';
import { RUNS_FOLDER } from '../workspaceFile.ts';

const RUN_FILE = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)-([0-9a-f]{8})\.json$/;
const LAST_NAMED_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Host path of the folder that holds the runs. */
export function runsFolderOf(workspace: WorkspaceFolder): string {
  return join(workspace.folder, RUNS_FOLDER);
}

/**
 * Makes `runs/`, or a folder in it, if it is not there: somebody may have deleted it.
 * @throws WorkspaceError also when a link stands in its place, as links are not followed
 */
export async function makeRunsFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
    if ((await lstat(folder)).isDirectory()) return;
  } catch (error) {
    throw fileSystemError(error, folder, 'written');
  }
  throw new WorkspaceError(
    'not-a-plain-file',
    folder,
    `The run cannot be saved: ${folder} is not a folder.`,
    'Move it away; a new folder is made with the next run.',
  );
}

/** Names of the files in `runs/` that are runs by name, newest first. Never throws: a folder that is gone has none. */
export async function runNames(workspace: WorkspaceFolder): Promise<readonly string[]> {
  const names = await readdir(runsFolderOf(workspace)).catch(() => []);
  return names
    .filter((name) => RUN_FILE.test(name))
    .sort()
    .reverse();
}

/**
 * The name of a run that ends `now`, given the newest name there is: later than that one, whatever the clock says.
 * The time in a name is only for sorting; the record says when the run ended. Pure.
 */
export function nextRunName(now: Date, solutionHash: string, newest: string | undefined): string {
  const after = newest === undefined ? undefined : timeIn(newest);
  const ms =
    after === undefined || after >= LAST_NAMED_MS ? now.getTime() : Math.max(now.getTime(), after + 1);
  return `${new Date(ms).toISOString().replaceAll(':', '-')}-${solutionHash.slice(0, 8)}.json`;
}

/** The first hex digits of the hash of the solution that a run verified. Pure. */
export function solutionPrefixIn(name: string): string | undefined {
  return RUN_FILE.exec(name)?.[5];
}

function timeIn(name: string): number | undefined {
  const [, date, hours, minutes, seconds] = RUN_FILE.exec(name) ?? [];
  const ms = Date.parse(`${date}${hours}:${minutes}:${seconds}`);
  return Number.isNaN(ms) ? undefined : ms;
}
