/** From a row of a dataset to a parsed task. */
import type { ArchiveResult } from '../../task/archive/archive.ts';
import { readTaskArchive } from '../../task/archive/archive.ts';
import { parseTask } from '../../task/parseTask.ts';
import type { Task } from '../../task/task.ts';
import { readTaskFolder } from '../../task/archive/taskFolder.ts';
import type { Dataset, RowContent } from '../dataset.ts';

/**
 * Reads one row; `id` is its path.
 * @throws DatasetError or TaskArchiveError that says what is wrong with this row; other rows are not touched
 */
export async function readRow(
  dataset: Dataset,
  row: number,
  id: string,
  signal?: AbortSignal,
): Promise<Task> {
  const read = await unpackRow(await dataset.readTask(row, signal));
  if (!read.ok) throw read.error;
  return parseTask(id, read.files);
}

/** The files of a row, however it is stored; for one that is refused, why. */
export async function unpackRow(content: RowContent): Promise<ArchiveResult> {
  return content.kind === 'archive' ? readTaskArchive(content.bytes) : readTaskFolder(content.dir);
}
