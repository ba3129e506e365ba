/** Waits for a promise until a user or a clock ends the wait. */
import { timerMs } from '../../timers.ts';
import { Cancelled } from './failures.ts';

/** Settles as `promise` does, or throws Cancelled as soon as `signal` aborts; the promise itself goes on. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  promise.catch(() => undefined);
  if (signal.aborted) throw new Cancelled();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Cancelled());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The value of `promise`, or `late` when it takes longer than `ms`. */
export async function withTimeout<T, L>(promise: Promise<T>, ms: number, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const clock = new Promise<L>((resolve) => {
    timer = setTimeout(resolve, timerMs(ms), late);
  });
  try {
    return await Promise.race([promise, clock]);
  } finally {
    clearTimeout(timer);
  }
}
