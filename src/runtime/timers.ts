/** What Node's timers can hold. */

/** Milliseconds; `setTimeout` fires at once when it is asked for more. 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** A time as a timer takes it: whole milliseconds, as `AbortSignal.timeout` throws for any other. */
export function timerMs(ms: number): number {
  return Math.min(Math.ceil(ms), LONGEST_MS);
}
