/** Opens a dataset for one use of it. */
import type { Dataset } from './dataset.ts';
import { openDataset } from './openDataset.ts';

/** Closes the dataset when `use` has settled. @throws DatasetError as {@link openDataset} does, and what `use` throws */
export async function withDataset<Result>(
  location: string,
  signal: AbortSignal,
  use: (dataset: Dataset) => Promise<Result>,
): Promise<Result> {
  const dataset = await openDataset(location, { signal });
  try {
    return await use(dataset);
  } finally {
    await dataset.close();
  }
}
