/** Tasks of datasets without columns, tars and folders, as rows with the two columns every table of tasks has. */
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { Binary, Field, Schema, Utf8 } from 'apache-arrow';
import { isGzip } from '../../task/archive/archive.ts';
import { packTaskArchive } from '../../task/archive/packArchive.ts';
import { PATH_COLUMN, TASK_COLUMN } from '../tables/columns.ts';
import type { Dataset } from '../dataset.ts';
import { binaryData } from './arrow/cells.ts';
import type { ArrowRows } from './arrow/arrowRows.ts';
import { taskFilesOf } from './taskFilesOf.ts';

const zip = promisify(gzip);

/** The rows of a tar or folder dataset, which stays the caller's to close. */
export async function openTaskRows(dataset: Dataset, signal?: AbortSignal): Promise<ArrowRows> {
  const paths = await dataset.paths(signal);
  const [path, task] = [new Utf8(), new Binary()];
  const schema = new Schema([new Field(PATH_COLUMN, path, true), new Field(TASK_COLUMN, task, true)]);
  let row = 0;
  return {
    schema,
    framing: 'stream',
    async *take(count, abort) {
      const archives: Uint8Array[] = [];
      const names: Uint8Array[] = [];
      for (const end = row + count; row < end; row++) {
        names.push(paths.bytesAt(row));
        archives.push(await archiveOf(dataset, row, abort));
      }
      yield { rows: count, columns: [binaryData(path, names), binaryData(task, archives)] };
    },
    close: async () => {},
  };
}

/** A row as the gzipped tar that a column of tasks holds. */
async function archiveOf(dataset: Dataset, row: number, signal?: AbortSignal): Promise<Uint8Array> {
  const content = await dataset.readTask(row, signal);
  if (content.kind === 'folder') {
    return packTaskArchive((await taskFilesOf(content, dataset.location, row)).values());
  }
  const { bytes } = content;
  return isGzip(bytes) ? bytes : zip(bytes);
}
