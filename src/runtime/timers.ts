/** Limits of Node's timers. */

/** Milliseconds; `setTimeout` fires at once when it is asked for more. 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** A time that a timer accepts: whole milliseconds, since `AbortSignal.timeout` throws for others. */
export function timerMs(ms: number): number {
  return Math.min(Math.ceil(ms), LONGEST_MS);
}
