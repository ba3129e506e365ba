/** The files of a row, or an error that names the row. */
import { readTaskArchive } from '../../task/archive.ts';
import type { TaskFiles } from '../../task/task.ts';
import { readTaskFolder } from '../../task/taskFolder.ts';
import type { RowContent } from '../dataset.ts';
import { DatasetError } from '../datasetError.ts';

/** Unpacks a row of the dataset at `location`. Throws a `DatasetError` when its archive or folder is refused. */
export async function taskFilesOf(content: RowContent, location: string, row: number): Promise<TaskFiles> {
  const read =
    content.kind === 'archive' ? await readTaskArchive(content.bytes) : await readTaskFolder(content.dir);
  if (read.ok) return read.files;
  throw new DatasetError(
    'corrupt',
    `${location}, row ${row}: ${read.error.message}`,
    'Write a .parquet or .arrow file instead, which keeps rows as they are, or mend this row.',
    { cause: read.error },
  );
}
