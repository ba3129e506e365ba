/** Finds the images that the tasks of a dataset ask for, from a sample of rows. */
import type { Dataset } from '../dataset/dataset.ts';
import { readRow } from '../dataset/tables/readRow.ts';
import type { Task } from '../task/task.ts';
import type { RequestedImages } from './setupFacts.ts';

/** Rows that are read of a large dataset, evenly spread. */
const MOST_ROWS = 20;

/** Reads some rows, or only `row`. @throws DatasetError when the dataset itself cannot be read; when `signal` aborts */
export async function readRequestedImages(
  dataset: Dataset,
  row: number | undefined,
  signal: AbortSignal,
): Promise<RequestedImages> {
  const paths = await dataset.paths(signal);
  const rows = row === undefined ? spread(paths.length, MOST_ROWS) : [row];
  const images = new Set<string>();
  let unread = 0;
  for (const index of rows) {
    signal.throwIfAborted();
    try {
      const task = await readRow(dataset, index, paths.pathAt(index), signal);
      for (const image of imagesOf(task)) images.add(image);
    } catch {
      // "verify" reports a broken row; the other rows still count.
      unread++;
    }
  }
  return { from: dataset.location, tasks: rows.length, unread, images: [...images] };
}

/** The images that a task's environment is made of. */
export function imagesOf({ config, dockerfile }: Task): string[] {
  const { dockerImage } = config.environment;
  if (dockerImage !== null) return [dockerImage];
  return [...new Set(dockerfile?.build.images.map(({ name }) => name))];
}

/** At most `most` of the numbers below `length`, the first one always, evenly spread. */
export function spread(length: number, most: number): number[] {
  const step = Math.max(1, length / most);
  const count = Math.min(length, most);
  return Array.from({ length: count }, (_, index) => Math.floor(index * step));
}
