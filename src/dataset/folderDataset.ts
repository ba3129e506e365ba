/** A folder of task folders, or one task folder. */
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isTaskFolder } from '../task/archive/taskFolder.ts';
import { asDatasetError } from './byteSource.ts';
import { checkRow } from './tables/columns.ts';
import type { Dataset, DatasetLimits, ExtraValue, RowContent } from './dataset.ts';
import { DatasetError } from './datasetError.ts';
import type { PathList } from './tables/pathList.ts';
import { PathListBuilder } from './tables/pathList.ts';

const MAX_DEPTH = 4;
const MAX_FOLDERS = 2_000_000;
const PARALLEL = 16;

/** The folder at `location` as one task. */
export function openTaskFolder(location: string, limits: DatasetLimits): Dataset {
  return new FolderDataset('task-folder', location, [''], limits);
}

/** All task folders below `location`, up to four levels deep, sorted by path. */
export async function openFolder(
  location: string,
  limits: DatasetLimits,
  signal?: AbortSignal,
): Promise<Dataset> {
  const tasks = await findTaskFolders(location, signal);
  if (tasks.length === 0) {
    throw new DatasetError(
      'no-tasks',
      `${location} holds no tasks: neither it nor a folder in it has an instruction.md or a task.toml, and there is no Parquet or Arrow file in it.`,
      'Open a folder of task folders, or a folder with tasks.parquet.',
    );
  }
  return new FolderDataset('folder', location, tasks, limits);
}

class FolderDataset implements Dataset {
  readonly format: 'folder' | 'task-folder';
  readonly location: string;
  readonly files: readonly string[] = [];
  readonly columns: readonly string[] = [];
  /** POSIX paths relative to the location; `''` is the location itself. */
  readonly #tasks: readonly string[];
  readonly #limits: DatasetLimits;

  constructor(
    format: 'folder' | 'task-folder',
    location: string,
    tasks: readonly string[],
    limits: DatasetLimits,
  ) {
    this.format = format;
    this.location = location;
    this.#tasks = tasks;
    this.#limits = limits;
  }

  get rowCount(): number {
    return this.#tasks.length;
  }

  async paths(): Promise<PathList> {
    const list = new PathListBuilder(this.rowCount, this.#limits.pathBytes);
    for (const task of this.#tasks) list.addText(task === '' ? basename(resolve(this.location)) : task);
    return list.finish();
  }

  async extras(row: number): Promise<Readonly<Record<string, ExtraValue>>> {
    checkRow(this, row);
    return {};
  }

  async readTask(row: number): Promise<RowContent> {
    checkRow(this, row);
    const dir = join(this.location, ...(this.#tasks[row] ?? '').split('/'));
    try {
      await readdir(dir);
    } catch (error) {
      throw asDatasetError(error, dir);
    }
    return { kind: 'folder', dir };
  }

  async close(): Promise<void> {}
}

async function findTaskFolders(location: string, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  let level = [''];
  let seen = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const below: string[] = [];
    for (let at = 0; at < level.length; at += PARALLEL) {
      signal?.throwIfAborted();
      const folders = level.slice(at, at + PARALLEL);
      seen += folders.length;
      if (seen > MAX_FOLDERS) return found;
      const listings = await Promise.all(folders.map((folder) => list(location, folder, depth > 0)));
      for (const [index, { files, subfolders }] of listings.entries()) {
        const folder = folders[index] ?? '';
        if (isTaskFolder(files)) found.push(folder);
        else below.push(...subfolders.map((name) => (folder === '' ? name : `${folder}/${name}`)));
      }
    }
    level = below;
  }
  return found.sort();
}

/** Files and folders in one folder; below the top, a folder that may not be read is skipped. */
async function list(
  location: string,
  folder: string,
  lenient: boolean,
): Promise<{ files: string[]; subfolders: string[] }> {
  const dir = join(location, ...folder.split('/'));
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return {
      files: entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name),
      subfolders: entries
        .filter(
          (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
        )
        .map((entry) => entry.name),
    };
  } catch (error) {
    if (lenient) return { files: [], subfolders: [] };
    throw asDatasetError(error, dir);
  }
}
