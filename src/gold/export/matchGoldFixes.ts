/** Which row of a dataset each gold fix is of: by the task's id and the hash of its files, never by the place alone. */
import { byChoice } from '../../fault/remedy.ts';
import { PATH_COLUMN } from '../../dataset/tables/columns.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { DatasetError } from '../../dataset/datasetError.ts';
import { taskFilesOf } from '../../dataset/write/taskFilesOf.ts';
import { parseTask } from '../../task/parseTask.ts';
import type { Task } from '../../task/task.ts';
import { joinWords } from '../../wording/joinWords.ts';
import { GoldError } from '../goldError.ts';
import { type GoldFix, isOfTask, readGoldFix } from '../goldFix.ts';
import { inspectGoldFix } from '../inspect.ts';

export interface Unmatched {
  /** Host path of the gold fix. */
  readonly folder: string;
  /** One sentence for a person. */
  readonly because: string;
}

export interface Matches {
  /** Host path of the gold fix, by row. */
  readonly folders: ReadonlyMap<number, string>;
  readonly unmatched: readonly Unmatched[];
}

export interface MatchOptions {
  /** Go on without gold fixes that are of no row; else the first of them is an error. */
  readonly skipUnmatched: boolean;
  /** Called with the number of gold fixes that were looked at. */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the row of every gold fix in `folders` and checks that it was not edited.
 * @throws GoldError `other-task` (no such row), `edited`, `occupied` (two for one row), or as `readGoldFix` does
 */
export async function matchGoldFixes(
  dataset: Dataset,
  folders: readonly string[],
  { skipUnmatched, onProgress, signal }: MatchOptions,
): Promise<Matches> {
  const byRow = new Map<number, string>();
  const unmatched: Unmatched[] = [];
  for (const [index, folder] of folders.entries()) {
    signal?.throwIfAborted();
    const goldFix = await readGoldFix(folder);
    const match = await rowOf(dataset, goldFix, signal);
    if (match.kind === 'none') {
      if (!skipUnmatched) throw new GoldError('other-task', match.because, UNMATCHED_REMEDIES);
      unmatched.push({ folder, because: match.because });
    } else {
      refuseEdited(goldFix, match.task);
      const other = byRow.get(match.row);
      if (other !== undefined) throw duplicateError(dataset, match.row, match.task.id, other, folder);
      byRow.set(match.row, folder);
    }
    onProgress?.(index + 1);
  }
  return { folders: byRow, unmatched };
}

/** @throws GoldError `edited` that names the first file that was changed since */
export function refuseEdited(goldFix: GoldFix, task: Task): void {
  const [first, ...others] = inspectGoldFix(goldFix, task);
  if (first === undefined) return;
  const where = first.line === undefined ? first.file : `${first.file}, line ${first.line}`;
  const more = others.length === 0 ? '' : ` There is more: ${joinWords(others.map(({ file }) => file))}.`;
  throw new GoldError(
    'edited',
    `The gold fix in ${goldFix.folder} was changed since it was saved (${where}): ${first.message}${more}`,
    'Save it again, so that what is exported is what was verified.',
  );
}

/** The task of one row. @throws DatasetError when it cannot be read */
export async function taskOfRow(dataset: Dataset, row: number, signal?: AbortSignal): Promise<Task> {
  const paths = await dataset.paths(signal);
  const files = await taskFilesOf(await dataset.readTask(row, signal), dataset.location, row);
  return parseTask(paths.pathAt(row), files);
}

const UNMATCHED_REMEDIES = [
  byChoice('dataset', 'name the dataset that it was saved for'),
  byChoice('skip-unmatched', 'leave such gold fixes out'),
];

type RowMatch =
  | { readonly kind: 'row'; readonly row: number; readonly task: Task }
  | { readonly kind: 'none'; readonly because: string };

/** The row that it was saved for comes first, since several rows may have the same path and even the same files. */
async function rowOf(dataset: Dataset, goldFix: GoldFix, signal?: AbortSignal): Promise<RowMatch> {
  const { id } = goldFix.record.task;
  const rows = (await dataset.paths(signal)).rowsOf(id);
  const origin = goldFix.record.dataset.row;
  const candidates = rows.includes(origin) ? [origin, ...rows.filter((row) => row !== origin)] : rows;
  for (const row of candidates) {
    const task = await taskOfRow(dataset, row, signal).catch((error: unknown) => {
      // A row that cannot be read is not the one; another may be.
      if (error instanceof DatasetError) return undefined;
      throw error;
    });
    if (task !== undefined && isOfTask(goldFix, task)) return { kind: 'row', row, task };
  }
  const because =
    rows.length === 0
      ? `The gold fix in ${goldFix.folder} was saved for ${id}, and ${dataset.location} has no row with that ${PATH_COLUMN}.`
      : `The gold fix in ${goldFix.folder} was saved for ${id} with other files than that row of ${dataset.location} has.`;
  return { kind: 'none', because };
}

function duplicateError(
  { location }: Dataset,
  row: number,
  id: string,
  first: string,
  other: string,
): GoldError {
  return new GoldError(
    'occupied',
    `${first} and ${other} are both gold fixes of row ${row} of ${location}, ${id}.`,
    'Leave one of them out.',
  );
}
