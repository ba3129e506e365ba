/** Opens a dataset of any format, which the first bytes of a file decide, not its name. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isTaskFolder } from '../task/archive/taskFolder.ts';
import { joinWords } from '../wording/joinWords.ts';
import { openArrow } from './arrowDataset.ts';
import { asDatasetError, openFile } from './byteSource.ts';
import type { Dataset, DatasetLimits, OpenDatasetOptions } from './dataset.ts';
import { DEFAULT_LIMITS } from './dataset.ts';
import { DatasetError } from './datasetError.ts';
import { fileKind } from './fileKind.ts';
import { openFolder, openTaskFolder } from './folderDataset.ts';
import { openParquet } from './parquetDataset.ts';
import { joinShards } from './tables/shardedDataset.ts';
import { shardsOfPattern } from './tables/shardSet.ts';
import { openTar } from './tarDataset.ts';

/** The name under which sets of tasks are published; other Parquet files beside it are ignored. */
const PUBLISHED_NAME = 'tasks.parquet';

/**
 * Opens the dataset at `location`, a host path of a file or folder. The caller closes it.
 *
 * A folder is, in this order: a task (it has `instruction.md` or `task.toml`); its `tasks.parquet`; all its
 * `.parquet` files as one dataset, sorted by name; all its `.arrow` files, Hugging Face's `cache-*` left out; the
 * one folder in it that holds such files, as `data/` does; the task folders below it.
 * The name of a set of parts, `train-*-of-00003.parquet`, is all of its parts.
 *
 * Throws `DatasetError`, or the reason of `options.signal` when that is aborted.
 */
export async function openDataset(location: string, options: OpenDatasetOptions = {}): Promise<Dataset> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { signal } = options;
  signal?.throwIfAborted();
  const parts = shardsOfPattern(location);
  if (parts !== undefined) return openShards(location, parts, limits, signal);
  if (!(await isFolder(location))) return openDatasetFile(location, limits, signal);
  const { files, folders } = await listFolder(location);
  if (isTaskFolder(files)) return openTaskFolder(location, limits);
  const shards = await findShards(location, files, folders);
  if (shards.length > 0) return openShards(location, shards, limits, signal);
  return openFolder(location, limits, signal);
}

async function openDatasetFile(
  location: string,
  limits: DatasetLimits,
  signal?: AbortSignal,
): Promise<Dataset> {
  const source = await openFile(location);
  try {
    const kind = await fileKind(source, signal);
    switch (kind) {
      case 'parquet':
        return await openParquet(source, limits, signal);
      case 'arrow':
        return await openArrow(source, limits, signal);
      case 'gzip':
      case 'tar':
        return await openTar(source, kind === 'gzip', limits, signal);
    }
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function openShards(
  location: string,
  files: readonly string[],
  limits: DatasetLimits,
  signal?: AbortSignal,
): Promise<Dataset> {
  const opened: Dataset[] = [];
  try {
    for (const file of files) opened.push(await openDatasetFile(file, limits, signal));
  } catch (error) {
    for (const shard of opened) await shard.close();
    throw error;
  }
  const [only, ...others] = opened;
  return only !== undefined && others.length === 0 ? only : joinShards(location, opened, limits.pathBytes);
}

/** The files that make up the dataset in a folder, or in the one folder of it that has any. */
async function findShards(
  location: string,
  files: readonly string[],
  folders: readonly string[],
): Promise<string[]> {
  const here = shardsAmong(files).map((name) => join(location, name));
  if (here.length > 0) return here;
  const below: { folder: string; shards: string[] }[] = [];
  for (const folder of folders.slice(0, 1000)) {
    const inner = await listFolder(join(location, folder)).catch(() => undefined);
    if (inner === undefined || isTaskFolder(inner.files)) continue;
    const shards = shardsAmong(inner.files).map((name) => join(location, folder, name));
    if (shards.length > 0) below.push({ folder, shards });
  }
  const [first, second] = below;
  if (second !== undefined) {
    const names = below.map(({ folder }) => folder);
    throw new DatasetError(
      'not-a-dataset',
      `${location} holds ${below.length} datasets: ${joinWords(names, { most: 5 })}.`,
      'Open one of these folders.',
    );
  }
  return first?.shards ?? [];
}

function shardsAmong(files: readonly string[]): string[] {
  if (files.includes(PUBLISHED_NAME)) return [PUBLISHED_NAME];
  const parquet = files.filter((name) => name.endsWith('.parquet') && !name.startsWith('.'));
  if (parquet.length > 0) return parquet.sort();
  return files
    .filter((name) => name.endsWith('.arrow') && !name.startsWith('.') && !name.startsWith('cache-'))
    .sort();
}

async function listFolder(location: string): Promise<{ files: string[]; folders: string[] }> {
  try {
    const entries = await readdir(location, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    const files = entries.filter((entry) => !entry.isDirectory());
    return { files: files.map(({ name }) => name), folders: folders.map(({ name }) => name).sort() };
  } catch (error) {
    throw asDatasetError(error, location);
  }
}

async function isFolder(location: string): Promise<boolean> {
  try {
    return (await stat(location)).isDirectory();
  } catch (error) {
    throw asDatasetError(error, location);
  }
}
