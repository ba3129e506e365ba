// Waiting for what happens by itself: a condition is asked again and again, and time alone decides nothing.
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 25;

/** Waits until `condition` gives something true, and gives that. @throws Error that says what was waited for. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  patienceMs: number,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`Waited ${patienceMs / 1000} s in vain until ${what}`);
    await delay(PAUSE_MS);
  }
}
