/** Writes a dataset anew in one call, for tests. */
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import {
  writeDataset,
  type WriteDatasetOptions,
  type WrittenDataset,
} from '../../../../src/dataset/write/writeDataset.ts';

/** Opens `source`, writes it to `target` with new archives for some rows, and closes it. */
export async function writeAnew(
  source: string,
  target: string,
  replaced: ReadonlyMap<number, Uint8Array> = new Map(),
  options: WriteDatasetOptions = {},
): Promise<WrittenDataset> {
  const dataset = await openDataset(source);
  try {
    const replacements = new Map([...replaced].map(([row, bytes]) => [row, async () => bytes]));
    return await writeDataset(dataset, replacements, target, options);
  } finally {
    await dataset.close();
  }
}
