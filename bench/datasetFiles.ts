/** The files that datasets are measured with, made once and kept outside of the repository. */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeLikePyarrow } from './datasetParquetWriter.ts';

export const LISTED_ROWS = 600_000;
export const CELL_ROWS = 100_000;
export const WRITTEN_ROWS = 5000;

export interface BenchFiles {
  /** 600,000 rows with distinct paths and small cells. */
  readonly listing: string;
  /** 1 GiB of cells of 4 to 17 kB in one row group without a page index. */
  readonly cells: string;
}

/** Makes the files that are not there yet; about 1.2 GB in `REPAIR_BENCH_CACHE`. */
export function benchFiles(): BenchFiles {
  const folder = benchFolder();
  const random = pseudoRandom(4 * 1024 * 1024);
  return {
    listing: makeOnce(join(folder, 'listing-600k-v1.parquet'), (location) =>
      writeTasks(location, LISTED_ROWS, random, () => 220),
    ),
    cells: makeOnce(join(folder, 'cells-1g-v1.parquet'), (location) =>
      writeTasks(location, CELL_ROWS, random, (row) => 4000 + ((row * 7919) % 13_500)),
    ),
  };
}

/** 5,000 rows with cells of 4 to 17 kB, as pyarrow writes them. */
export function writtenFile(): string {
  return makeOnce(join(benchFolder(), 'written-5k-v1.parquet'), (location) =>
    writeTasks(
      location,
      WRITTEN_ROWS,
      pseudoRandom(4 * 1024 * 1024),
      (row) => 4000 + ((row * 7919) % 13_500),
    ),
  );
}

function benchFolder(): string {
  const folder = process.env['REPAIR_BENCH_CACHE'] ?? join(homedir(), '.cache', 'repair-bench', 'bench');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** What `task_binary` of `row` must begin with: its number, in eight digits. */
export function cellMark(row: number): string {
  return String(row).padStart(8, '0');
}

function writeTasks(
  location: string,
  rows: number,
  random: Uint8Array,
  sizeOf: (row: number) => number,
): void {
  writeLikePyarrow(location, rows, [
    { name: 'path', isText: true, valueAt: (row) => Buffer.from(`bugsinpy-${cellMark(row)}`) },
    {
      name: 'task_binary',
      isText: false,
      valueAt: (row) => {
        const from = (row * 104_729) % (random.length - 20_000);
        const cell = Buffer.from(random.subarray(from, from + sizeOf(row)));
        cell.write(cellMark(row), 0, 'latin1');
        return cell;
      },
    },
  ]);
}

function makeOnce(location: string, make: (location: string) => void): string {
  if (statSync(location, { throwIfNoEntry: false }) !== undefined) return location;
  const unfinished = `${location}.unfinished`;
  make(unfinished);
  renameSync(unfinished, location);
  return location;
}

/** Bytes that do not compress, as gzipped tasks do not, and that are the same on every machine. */
function pseudoRandom(length: number): Uint8Array {
  const blocks: Buffer[] = [];
  for (let at = 0; at < length; at += 32) blocks.push(createHash('sha256').update(String(at)).digest());
  return Buffer.concat(blocks);
}
