/** Shares work between callers who want the same at once; it is cancelled when all of them have cancelled. */
import { unlessAborted } from '../engine/abort.ts';

interface Job<T> {
  readonly result: Promise<T>;
  readonly giveUp: AbortController;
  readonly logs: Set<(line: string) => void>;
  waiting: number;
}

/** Jobs by key; a job is forgotten when it has settled. */
export class SharedJobs<T> {
  readonly #jobs = new Map<string, Job<T>>();

  /**
   * Joins the job of this key, or starts it.
   * @throws Cancelled when `signal` aborts; the last one to leave waits until the job has cleaned up.
   */
  async join(
    key: string,
    start: (log: (line: string) => void, signal: AbortSignal) => Promise<T>,
    log: (line: string) => void,
    signal: AbortSignal,
  ): Promise<T> {
    const running = this.#jobs.get(key);
    // A job that was given up cannot be joined any more.
    const job = running && !running.giveUp.signal.aborted ? running : this.#start(key, start);
    // One object per caller, as two may pass the same function.
    const listener = (line: string): void => log(line);
    job.logs.add(listener);
    job.waiting++;
    try {
      return await unlessAborted(job.result, signal);
    } finally {
      job.logs.delete(listener);
      job.waiting--;
      if (job.waiting === 0 && signal.aborted) {
        job.giveUp.abort();
        await job.result.catch(() => undefined);
      }
    }
  }

  #start(key: string, start: (log: (line: string) => void, signal: AbortSignal) => Promise<T>): Job<T> {
    const giveUp = new AbortController();
    const logs = new Set<(line: string) => void>();
    const broadcast = (line: string): void => {
      for (const log of logs) log(line);
    };
    const result = start(broadcast, giveUp.signal);
    const job: Job<T> = { result, giveUp, logs, waiting: 0 };
    this.#jobs.set(key, job);
    const forget = (): void => {
      if (this.#jobs.get(key) === job) this.#jobs.delete(key);
    };
    result.then(forget, forget);
    return job;
  }
}
