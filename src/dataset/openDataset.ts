/** Opens a dataset of any format: what a file is, its first bytes decide, not its name. */
import type { Dataset, OpenDatasetOptions } from './dataset.ts';
import { DatasetError } from './datasetError.ts';

/**
 * Opens the dataset at `location`, a host path of a file or folder. The caller closes it.
 * Throws `DatasetError`, or the reason of `options.signal` when that is aborted.
 */
export async function openDataset(location: string, _options: OpenDatasetOptions = {}): Promise<Dataset> {
  await Promise.resolve();
  throw new DatasetError('unsupported', `${location} cannot be opened yet.`, 'Update Repair Bench.');
}
