/** From a row of a dataset to a parsed task. */
import { readTaskArchive } from '../task/archive.ts';
import { parseTask } from '../task/parseTask.ts';
import type { Task } from '../task/task.ts';
import { readTaskFolder } from '../task/taskFolder.ts';
import type { Dataset } from './dataset.ts';

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
  const content = await dataset.readTask(row, signal);
  const read =
    content.kind === 'archive' ? await readTaskArchive(content.bytes) : await readTaskFolder(content.dir);
  if (!read.ok) throw read.error;
  return parseTask(id, read.files);
}
