/** The interface of every dataset, whatever its format: it lists paths and reads one row at a time. */
import type { PathList } from './tables/pathList.ts';

export type DatasetFormat = 'parquet' | 'arrow' | 'tar' | 'folder' | 'task-folder';

/** One row as it is stored; parsing it is `src/task`'s work. */
export type RowContent =
  /** A tar, gzipped or not. */
  | { readonly kind: 'archive'; readonly bytes: Uint8Array }
  /** A task written out as files; `dir` is a host path. */
  | { readonly kind: 'folder'; readonly dir: string };

/** A value of an extra column in a form to show; long text and bytes are shortened and say so. */
export type ExtraValue = string | number | boolean | null | readonly ExtraValue[];

/** An open dataset. It is read-only, keeps one file open, and must be closed by whoever opened it. */
export interface Dataset {
  readonly format: DatasetFormat;
  /** Host path of the file or folder that was opened. */
  readonly location: string;
  /** Host paths of the files that hold the rows, in order; none for tasks that lie as folders. */
  readonly files: readonly string[];
  readonly rowCount: number;
  /** Names of all columns; `path` and `task_binary` are among them where the format has columns. */
  readonly columns: readonly string[];

  /** The `path` of every row. Read on the first call (only that column), kept until `close`. */
  paths(signal?: AbortSignal): Promise<PathList>;

  /** The columns of one row besides `path` and `task_binary`, bounded for showing. */
  extras(row: number, signal?: AbortSignal): Promise<Readonly<Record<string, ExtraValue>>>;

  /** The task of one row, raw. A row that cannot be read throws a `DatasetError` and leaves the others readable. */
  readTask(row: number, signal?: AbortSignal): Promise<RowContent>;

  /** Closes the file and drops what was cached. Safe to call twice. */
  close(): Promise<void>;
}

/** Limits in bytes; a file that needs more is refused with a `too-large` error before memory is taken. */
export interface DatasetLimits {
  /** One `task_binary` cell. Default 512 MiB. */
  readonly cellBytes: number;
  /** All paths together. Default 1 GiB. */
  readonly pathBytes: number;
  /** What a `.tar.gz` may unpack to. Default 16 GiB. */
  readonly unpackedBytes: number;
}

export interface OpenDatasetOptions {
  readonly limits?: Partial<DatasetLimits>;
  readonly signal?: AbortSignal;
}

export const DEFAULT_LIMITS: DatasetLimits = {
  cellBytes: 512 * 1024 * 1024,
  pathBytes: 1024 * 1024 * 1024,
  unpackedBytes: 16 * 1024 * 1024 * 1024,
};
