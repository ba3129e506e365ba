/** Writes a new dataset from one that is open: some rows get a new archive, all others stay as they are. */
import type { Dataset } from '../dataset.ts';
import { PATH_COLUMN, TASK_COLUMN, checkRow } from '../tables/columns.ts';
import { ArrowFile } from './arrow/arrowFile.ts';
import type { ArrowRows } from './arrow/arrowRows.ts';
import { openArrowRows } from './arrow/arrowRows.ts';
import { arrowFromParquet } from './convert/arrowFromParquet.ts';
import { parquetFromArrow } from './convert/parquetFromArrow.ts';
import type { FileSink } from './fileSink.ts';
import { ParquetFile } from './parquet/parquetFile.ts';
import type { ParquetRows } from './parquet/parquetRows.ts';
import { openParquetRows } from './parquet/parquetRows.ts';
import type { Replacements } from './replace.ts';
import { replacedArrow, replacedParquet } from './replace.ts';
import type { TargetFormat } from './target.ts';
import { checkTarget, targetFormat, writeFileTarget, writeFolderTarget } from './target.ts';
import { openTaskRows } from './taskRows.ts';
import type { RowsDone } from './writeTasks.ts';
import { writeFolder, writeTar } from './writeTasks.ts';

export interface WriteDatasetOptions {
  /** Replaces a file that is there. Neither the source nor a folder with files in it is ever replaced. */
  readonly force?: boolean;
  readonly onProgress?: RowsDone;
  readonly signal?: AbortSignal;
}

export interface WrittenDataset {
  /** Host path of the new file or folder. */
  readonly location: string;
  readonly format: TargetFormat;
  readonly rows: number;
  readonly replaced: number;
  /** Columns of the source that a tar or a folder has no place for. */
  readonly leftOut: readonly string[];
}

/** Rows of a group of a Parquet file, and of a batch of an Arrow file: what is in memory at a time. */
const GROUP_ROWS = 500;

/**
 * Writes all rows of `source`, in their order, to `target`, a host path whose name tells the format: `.parquet`,
 * `.arrow`, `.tar.gz`, else a folder. Columns keep their types. The target appears when it is whole.
 *
 * Throws `DatasetError`, or the reason of `options.signal` when that is aborted; nothing is left behind then.
 */
export async function writeDataset(
  source: Dataset,
  replacements: Replacements,
  target: string,
  options: WriteDatasetOptions = {},
): Promise<WrittenDataset> {
  const { force = false, signal, onProgress = () => {} } = options;
  signal?.throwIfAborted();
  const format = targetFormat(target);
  for (const row of replacements.keys()) checkRow(source, row);
  await checkTarget(source, target, force);
  if (format === 'parquet' || format === 'arrow') {
    const rows = await openRows(source, signal);
    try {
      const write = format === 'parquet' ? writeParquet : writeArrow;
      await writeFileTarget(target, force, (sink) =>
        write({ source, rows, replacements, sink, onProgress, signal }),
      );
    } finally {
      await rows.rows.close();
    }
  } else {
    const readRow = async (row: number) => {
      const make = replacements.get(row);
      return make === undefined
        ? source.readTask(row, signal)
        : { kind: 'archive' as const, bytes: await make() };
    };
    if (format === 'tar') {
      await writeFileTarget(target, force, (sink) => writeTar(sink, source, readRow, onProgress, signal));
    } else {
      await writeFolderTarget(target, (folder) => writeFolder(folder, source, readRow, onProgress, signal));
    }
  }
  const extras = source.columns.filter((name) => name !== PATH_COLUMN && name !== TASK_COLUMN);
  return {
    location: target,
    format,
    rows: source.rowCount,
    replaced: replacements.size,
    leftOut: format === 'tar' || format === 'folder' ? extras : [],
  };
}

type OpenRows =
  | { readonly kind: 'parquet'; readonly rows: ParquetRows }
  | { readonly kind: 'arrow'; readonly rows: ArrowRows };

interface Job {
  readonly source: Dataset;
  readonly rows: OpenRows;
  readonly replacements: Replacements;
  readonly sink: FileSink;
  readonly onProgress: RowsDone;
  readonly signal: AbortSignal | undefined;
}

async function openRows(source: Dataset, signal?: AbortSignal): Promise<OpenRows> {
  switch (source.format) {
    case 'parquet':
      return { kind: 'parquet', rows: await openParquetRows(source.files, signal) };
    case 'arrow':
      return { kind: 'arrow', rows: await openArrowRows(source.files, signal) };
    case 'tar':
    case 'folder':
    case 'task-folder':
      return { kind: 'arrow', rows: await openTaskRows(source, signal) };
  }
}

async function writeParquet({
  source,
  rows: from,
  replacements,
  sink,
  onProgress,
  signal,
}: Job): Promise<void> {
  const { location, rowCount } = source;
  const plain = from.kind === 'parquet' ? from.rows : parquetFromArrow(location, from.rows);
  const rows = replacedParquet(location, plain, replacements);
  const file = await ParquetFile.begin(sink, rows.leaves);
  for (let row = 0; row < rowCount; row += GROUP_ROWS) {
    const count = Math.min(GROUP_ROWS, rowCount - row);
    await file.writeGroup(count, (leaf) => rows.take(leaf, count, signal));
    onProgress(row + count);
  }
  signal?.throwIfAborted();
  await file.finish(rows.schema, rows.keyValues);
}

async function writeArrow({
  source,
  rows: from,
  replacements,
  sink,
  onProgress,
  signal,
}: Job): Promise<void> {
  const { location, rowCount } = source;
  const plain = from.kind === 'arrow' ? from.rows : arrowFromParquet(location, from.rows);
  const rows = replacedArrow(location, plain, replacements);
  const file = new ArrowFile(sink, rows.schema, rows.framing);
  for (let row = 0; row < rowCount; row += GROUP_ROWS) {
    const count = Math.min(GROUP_ROWS, rowCount - row);
    for await (const chunk of rows.take(count, signal)) await file.write(chunk);
    onProgress(row + count);
  }
  signal?.throwIfAborted();
  await file.finish();
}
