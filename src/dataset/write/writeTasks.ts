/** Writes tasks as files: one `.tar.gz` with a folder for each row, or a folder of task folders. */
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { isGzip } from '../../task/archive/archive.ts';
import { encodeName, isPlainText, memberPath, printableName } from '../../task/archive/memberName.ts';
import { TAR_END, packTarMembers } from '../../task/archive/packArchive.ts';
import type { TaskFile, TaskFiles } from '../../task/task.ts';
import type { Dataset, RowContent } from '../dataset.ts';
import { DatasetError } from '../datasetError.ts';
import type { FileSink } from './fileSink.ts';
import { taskFilesOf } from './taskFilesOf.ts';

/** Called with the number of rows that are written. */
export type RowsDone = (rows: number) => void;

/** The task of each row, replaced or as it is. */
export type ReadRow = (row: number) => Promise<RowContent>;

/** One row becomes the archive itself; several become folders under their paths. */
export async function writeTar(
  sink: FileSink,
  dataset: Dataset,
  readRow: ReadRow,
  done: RowsDone,
  signal?: AbortSignal,
): Promise<void> {
  const content = dataset.rowCount === 1 ? await readRow(0) : undefined;
  if (content?.kind === 'archive' && isGzip(content.bytes)) {
    await sink.write(content.bytes);
    done(1);
    return;
  }
  async function* blocks(): AsyncGenerator<Uint8Array> {
    const isOne = dataset.rowCount === 1;
    for await (const { path, files } of tasksOf(dataset, readRow, done, signal)) {
      const members = [...files.values()].map((file) =>
        isOne ? file : { ...file, path: `${path}/${file.path}` },
      );
      yield* packTarMembers(members, ({ mode }) => mode);
    }
    yield TAR_END;
  }
  await pipeline(Readable.from(blocks()), createGzip(), async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) await sink.write(chunk);
  });
}

/** A task folder for one row, else a folder of them. */
export async function writeFolder(
  folder: string,
  dataset: Dataset,
  readRow: ReadRow,
  done: RowsDone,
  signal?: AbortSignal,
): Promise<void> {
  for await (const { path, files } of tasksOf(dataset, readRow, done, signal)) {
    const root = dataset.rowCount === 1 ? folder : join(folder, ...path.split('/'));
    for (const file of files.values()) await writeTaskFile(root, file);
  }
}

async function* tasksOf(
  dataset: Dataset,
  readRow: ReadRow,
  done: RowsDone,
  signal?: AbortSignal,
): AsyncGenerator<{ path: string; files: TaskFiles }> {
  const paths = await dataset.paths(signal);
  const taken = new TakenPaths();
  for (let row = 0; row < dataset.rowCount; row++) {
    signal?.throwIfAborted();
    const path = paths.pathAt(row);
    if (dataset.rowCount > 1) refusePath(dataset, row, path, taken);
    yield { path, files: await taskFilesOf(await readRow(row), dataset.location, row) };
    done(row + 1);
  }
}

/** Paths of rows, and the folders that they lie in. */
class TakenPaths {
  readonly #rows = new Set<string>();
  /** Each with the first row's path that lies in it. */
  readonly #folders = new Map<string, string>();

  /** What keeps `path` from being a folder of its own, in words; takes it otherwise. */
  take(path: string): string | undefined {
    if (this.#rows.has(path)) return `another row has the path ${printableName(path)} too`;
    const inside = this.#folders.get(path);
    if (inside !== undefined) return `another row, ${printableName(inside)}, would lie in its folder`;
    const folders = foldersOf(path);
    const around = folders.find((folder) => this.#rows.has(folder));
    if (around !== undefined) return `it would lie in the folder of another row, ${printableName(around)}`;
    this.#rows.add(path);
    for (const folder of folders) if (!this.#folders.has(folder)) this.#folders.set(folder, path);
    return undefined;
  }
}

function foldersOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

function refusePath({ location }: Dataset, row: number, path: string, taken: TakenPaths): void {
  const safe = memberPath(path);
  const because =
    path === ''
      ? 'it has no path'
      : !safe.ok || safe.path !== path
        ? `its path, ${printableName(path)}, is no name for a folder`
        : taken.take(path);
  if (because === undefined) return;
  throw new DatasetError(
    'unsupported-target',
    `${location}, row ${row} cannot become a folder: ${because}.`,
    'Write a .parquet or .arrow file instead, which keeps rows as they are.',
  );
}

async function writeTaskFile(root: string, { path, bytes, mode }: TaskFile): Promise<void> {
  // Names that are not text can only be given to the host as bytes.
  const file = isPlainText(path)
    ? join(root, ...path.split('/'))
    : Buffer.concat([Buffer.from(`${root}/`), encodeName(path)]);
  const folder = isPlainText(path) ? dirname(String(file)) : folderOf(Buffer.from(file));
  await mkdir(folder, { recursive: true });
  const handle = await open(file, 'wx', mode & 0o777);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function folderOf(file: Buffer): Buffer {
  return file.subarray(0, file.lastIndexOf(0x2f));
}
