/** Opens a dataset of any format: what a file is, its first bytes decide, not its name. */
import { stat } from 'node:fs/promises';
import { asDatasetError, openFile } from './byteSource.ts';
import type { Dataset, DatasetLimits, OpenDatasetOptions } from './dataset.ts';
import { DEFAULT_LIMITS } from './dataset.ts';
import { fileKind } from './fileKind.ts';
import { openArrow } from './arrowDataset.ts';
import { openParquet } from './parquetDataset.ts';
import { DatasetError } from './datasetError.ts';

/**
 * Opens the dataset at `location`, a host path of a file or folder. The caller closes it.
 * Throws `DatasetError`, or the reason of `options.signal` when that is aborted.
 */
export async function openDataset(location: string, options: OpenDatasetOptions = {}): Promise<Dataset> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  options.signal?.throwIfAborted();
  if (await isFolder(location)) throw new DatasetError('unsupported', 'later', 'later');
  return openDatasetFile(location, limits, options.signal);
}

async function openDatasetFile(
  location: string,
  limits: DatasetLimits,
  signal?: AbortSignal,
): Promise<Dataset> {
  const source = await openFile(location);
  try {
    switch (await fileKind(source, signal)) {
      case 'parquet':
        return await openParquet(source, limits, signal);
      case 'arrow':
        return await openArrow(source, limits, signal);
      case 'gzip':
      case 'tar':
        throw new DatasetError('unsupported', 'later', 'later');
    }
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function isFolder(location: string): Promise<boolean> {
  try {
    return (await stat(location)).isDirectory();
  } catch (error) {
    throw asDatasetError(error, location);
  }
}
