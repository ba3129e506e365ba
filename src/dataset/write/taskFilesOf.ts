/** The files of a row, or an error that names the row. */
import type { TaskFiles } from '../../task/task.ts';
import type { RowContent } from '../dataset.ts';
import { DatasetError } from '../datasetError.ts';
import { unpackRow } from '../tables/readRow.ts';

/** Unpacks a row of the dataset at `location`. Throws a `DatasetError` when its archive or folder is refused. */
export async function taskFilesOf(content: RowContent, location: string, row: number): Promise<TaskFiles> {
  const read = await unpackRow(content);
  if (read.ok) return read.files;
  throw new DatasetError(
    'corrupt',
    `${location}, row ${row}: ${read.error.message}`,
    'Write a .parquet or .arrow file instead, which keeps rows as they are, or mend this row.',
    { cause: read.error },
  );
}
