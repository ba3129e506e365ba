/** Tar, gzipped or not: of one task, of many task folders, or of archives of one task each. */
import { basename } from 'node:path';
import { TAR_BLOCK, readTarBlock } from '../task/archive/tarHeader.ts';
import type { ByteSource } from './byteSource.ts';
import { openFile } from './byteSource.ts';
import { checkRow, rowError } from './tables/columns.ts';
import type { Dataset, DatasetLimits, ExtraValue, RowContent } from './dataset.ts';
import { DatasetError } from './datasetError.ts';
import { TooLarge } from './formatErrors.ts';
import type { PathList } from './tables/pathList.ts';
import { PathListBuilder } from './tables/pathList.ts';
import { unpackGzip } from './tar/spool.ts';
import { subTar } from './tar/subTar.ts';
import type { TarIndex } from './tar/tarIndex.ts';
import { indexTar } from './tar/tarIndex.ts';
import type { TarRow } from './tar/tarTasks.ts';
import { findTarTasks } from './tar/tarTasks.ts';

/** Opens a tar file; takes over `source` and closes it when this fails. */
export async function openTar(
  source: ByteSource,
  gzipped: boolean,
  limits: DatasetLimits,
  signal?: AbortSignal,
): Promise<Dataset> {
  let unpacked = source;
  try {
    if (gzipped) {
      await source.close();
      unpacked = await unpackGzip(source.location, limits.unpackedBytes, signal);
    }
    if (gzipped) await refuseOtherData(unpacked);
    const index = await indexTar(unpacked, limits.pathBytes, signal);
    const rows = findTarTasks(index.names);
    if (rows.length === 0) throw noTasks(source.location, index.names.length);
    return new TarDataset(unpacked, index, rows, limits);
  } catch (error) {
    await unpacked.close();
    throw rowError(error, source.location, 'path');
  }
}

class TarDataset implements Dataset {
  readonly format = 'tar';
  readonly location: string;
  readonly files: readonly string[];
  readonly rowCount: number;
  readonly columns: readonly string[] = [];
  readonly #source: ByteSource;
  readonly #index: TarIndex;
  readonly #rows: readonly TarRow[];
  readonly #limits: DatasetLimits;

  constructor(source: ByteSource, index: TarIndex, rows: readonly TarRow[], limits: DatasetLimits) {
    this.location = source.location;
    this.files = [source.location];
    this.rowCount = rows.length;
    this.#source = source;
    this.#index = index;
    this.#rows = rows;
    this.#limits = limits;
  }

  async paths(): Promise<PathList> {
    const list = new PathListBuilder(this.rowCount, this.#limits.pathBytes);
    for (const { path } of this.#rows) {
      const bytes = path === '' ? Buffer.from(stem(this.location)) : Buffer.from(path, 'latin1');
      list.add(bytes, 0, bytes.length);
    }
    return list.finish();
  }

  async extras(row: number): Promise<Readonly<Record<string, ExtraValue>>> {
    checkRow(this, row);
    return {};
  }

  async readTask(row: number, signal?: AbortSignal): Promise<RowContent> {
    checkRow(this, row);
    try {
      return { kind: 'archive', bytes: await this.#read(row, signal) };
    } catch (error) {
      throw rowError(error, this.location, 'path', row);
    }
  }

  async close(): Promise<void> {
    await this.#source.close();
  }

  async #read(row: number, signal?: AbortSignal): Promise<Uint8Array> {
    const found = this.#rows[row];
    const { cellBytes } = this.#limits;
    if (found?.kind === 'folder') {
      // The whole archive unchanged, so that a person gets the bytes that were packed.
      if (found.path === '') return readWhole(this.location, cellBytes, signal);
      return subTar(this.#source, this.#index, found.path, found.members, cellBytes, signal);
    }
    const member = found?.member ?? 0;
    const size = this.#index.sizes[member] ?? 0;
    if (size > cellBytes) throw new TooLarge(`it has ${size} bytes, more than ${cellBytes}`);
    return this.#source.read((this.#index.headerAt[member] ?? 0) + TAR_BLOCK, size, signal);
  }
}

async function readWhole(location: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
  const file = await openFile(location);
  try {
    if (file.size > maxBytes) throw new TooLarge(`it has ${file.size} bytes, more than ${maxBytes}`);
    return await file.read(0, file.size, signal);
  } finally {
    await file.close();
  }
}

async function refuseOtherData(unpacked: ByteSource): Promise<void> {
  const head = await unpacked.read(0, Math.min(TAR_BLOCK, unpacked.size));
  if (head.length === TAR_BLOCK && readTarBlock(head).kind !== 'invalid') return;
  throw new DatasetError(
    'not-a-dataset',
    `${unpacked.location} is gzipped, but what is in it is not a tar file.`,
    'Open a .tar.gz of tasks; unpack other gzipped files first.',
  );
}

function stem(location: string): string {
  return basename(location).replace(/\.(tar\.gz|tgz|tar|gz)$/i, '');
}

function noTasks(location: string, members: number): DatasetError {
  return new DatasetError(
    'no-tasks',
    `${location} holds no task: none of its ${members} members is called instruction.md or task.toml.`,
    'Open an archive of a task folder, of several of them, or of archives of tasks.',
  );
}
