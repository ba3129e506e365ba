/** From a row of a dataset to a parsed task. */
import type { Dataset } from '../dataset/dataset.ts';
import type { Task } from '../task/task.ts';

/** @throws DatasetError or TaskArchiveError that says what is wrong with this row; other rows are not touched */
export async function readTask(dataset: Dataset, row: number, id: string): Promise<Task> {
  const [{ readTaskArchive }, { readTaskFolder }, { parseTask }] = await Promise.all([
    import('../task/archive.ts'),
    import('../task/taskFolder.ts'),
    import('../task/parseTask.ts'),
  ]);
  const content = await dataset.readTask(row);
  const read =
    content.kind === 'archive' ? await readTaskArchive(content.bytes) : await readTaskFolder(content.dir);
  if (!read.ok) throw read.error;
  return parseTask(id, read.files);
}
