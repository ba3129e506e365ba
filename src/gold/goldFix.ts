/**
 * A gold fix: a folder with a verified solution, ready to ship.
 *
 * ```
 * gold.json                      what it holds for and where it comes from (goldRecord.ts)
 * gold.patch                     unified diff from the starter to the solution (goldPatch.ts)
 * solution/solve.sh              puts the solution in place, as an oracle's script does (solveScript.ts)
 * solution/files/<path>          the changed and added files; `/app/solution.py` is files/app/solution.py
 * ```
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOfFiles } from '../task/parseTask.ts';
import type { Gold, Task, TaskFiles } from '../task/task.ts';
import { readTaskFolder } from '../task/archive/taskFolder.ts';
import { isIn, SOLUTION_FOLDER, TESTS_FOLDER } from '../task/taskLayout.ts';
import { type SolutionState, starterOf } from '../verifier/plan/solution.ts';
import type { TaskWorkspace } from '../workspace/taskWorkspace.ts';
import type { WorkspaceFolder } from '../workspace/workPaths.ts';
import { GoldError } from './goldError.ts';
import { goldFolderOf, GOLD_RECORD } from './goldNames.ts';
import { type GoldRecord, parseGoldRecord } from './goldRecord.ts';

export interface GoldFix {
  /** Host path it was read from, for messages. */
  readonly folder: string;
  readonly record: GoldRecord;
  /** Every file there is, by its path in the folder, `gold.json` too. Not compared with the record yet. */
  readonly files: TaskFiles;
}

/** Whether there is a gold fix in `folder`, whatever state it is in. Never throws. */
export async function isGoldFix(folder: string): Promise<boolean> {
  return lstat(join(folder, GOLD_RECORD)).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

/** Whether a workspace holds a gold fix, whatever state it is in. Never throws. */
export async function hasGoldFix(workspace: WorkspaceFolder): Promise<boolean> {
  return isGoldFix(goldFolderOf(workspace));
}

/**
 * Reads the gold fix in `folder` (a host path) without following links, in bounded memory. That it is what was saved
 * is for {@link checkGoldFix} to say. @throws GoldError `not-a-gold-fix`, `unreadable`, `damaged`
 */
export async function readGoldFix(folder: string): Promise<GoldFix> {
  if (!(await isGoldFix(folder)))
    throw new GoldError(
      'not-a-gold-fix',
      `${folder} is not a gold fix: it has no ${GOLD_RECORD}.`,
      'Name the folder that "Save as Gold Fix" or "repair-bench gold save" made.',
    );
  const read = await readTaskFolder(folder);
  if (!read.ok)
    throw new GoldError(
      'unreadable',
      `The gold fix in ${folder} cannot be read. ${read.error.message}`,
      'Save the gold fix again.',
      { cause: read.error },
    );
  return goldFixOf(folder, read.files);
}

/** A gold fix from its files. @throws GoldError `damaged` */
export function goldFixOf(folder: string, files: TaskFiles): GoldFix {
  const parsed = parseGoldRecord(textOf(files, GOLD_RECORD));
  if (parsed.ok) return { folder, record: parsed.record, files };
  throw new GoldError(
    'damaged',
    `${join(folder, GOLD_RECORD)} cannot be used: ${parsed.because}.`,
    'Save the gold fix again.',
  );
}

/** The solution that a gold fix stands for: the task's starter with the fix over it. */
export function solutionOf(task: Task, { record, files }: GoldFix): SolutionState {
  const solution = new Map(starterOf(task).files);
  for (const { path, file } of record.solution.files) {
    const bytes = file === undefined ? undefined : files.get(file)?.bytes;
    if (bytes === undefined) solution.delete(path);
    else solution.set(path, bytes);
  }
  return { files: new Map([...solution].sort(([left], [right]) => (left < right ? -1 : 1))) };
}

/** The gold that the oracle runs: `solution/` with its `solve.sh`. */
export function oracleOf({ files }: Pick<GoldFix, 'files'>): Extract<Gold, { kind: 'script' }> {
  return {
    kind: 'script',
    files: [...files.values()].filter(({ path }) => isIn(SOLUTION_FOLDER, path)),
  };
}

/**
 * What the gold fix of a workspace runs; undefined when it has none. It comes before what the task ships.
 * @throws GoldError when it cannot be read, or is of another task
 */
export async function workspaceGold(workspace: TaskWorkspace): Promise<Gold | undefined> {
  const folder = goldFolderOf(workspace);
  if (!(await isGoldFix(folder))) return undefined;
  const goldFix = await readGoldFix(folder);
  if (isOfTask(goldFix, workspace.task)) return oracleOf(goldFix);
  throw new GoldError(
    'other-task',
    `The gold fix in ${folder} was saved for ${goldFix.record.task.id} with other files than the task of this workspace has.`,
    'Move it away, or save a new one.',
  );
}

/** SHA-256 over all files of `tests/`: a reward says nothing about another verifier. */
export function verifierHash(task: Task): string {
  return hashOfFiles(filesWhere(task.files, (path) => isIn(TESTS_FOLDER, path)));
}

/** SHA-256 over all files but those of `solution/`, which an export of a gold fix changes. */
export function hashWithoutSolution(task: Task): string {
  return hashOfFiles(filesWhere(task.files, (path) => !isIn(SOLUTION_FOLDER, path)));
}

/** Whether a gold fix is of this task, apart from what the task's `solution/` holds. */
export function isOfTask({ record }: Pick<GoldFix, 'record'>, task: Task): boolean {
  return record.task.hash === task.hash || record.task.hashWithoutSolution === hashWithoutSolution(task);
}

function filesWhere(files: TaskFiles, belongs: (path: string) => boolean): TaskFiles {
  return new Map([...files].filter(([path]) => belongs(path)));
}

function textOf(files: TaskFiles, path: string): string {
  return Buffer.from(files.get(path)?.bytes ?? []).toString('utf8');
}
