// Waiting for what happens by itself.
import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_MS = 30_000;
const PAUSE_MS = 50;

/** Settles when `condition` holds. @throws Error when it does not for half a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('waited too long');
    await delay(PAUSE_MS);
  }
}

/** What is still listed when nothing is, or after half a minute. */
export async function afterRemovals<T>(list: () => Promise<readonly T[]>): Promise<readonly T[]> {
  let left: readonly T[] = [];
  await until(async () => (left = await list()).length === 0).catch(() => undefined);
  return left;
}
