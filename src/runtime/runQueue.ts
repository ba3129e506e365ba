/** Decides when runs start: one run per key, the newest wins, and at most `limit` at once. */

interface Entry {
  readonly controller: AbortController;
  /** Resolves when the job has ended and everything it used is gone. */
  readonly ended: Promise<unknown>;
}

/** How a job left the queue. `stopped`: a newer job replaced it, or it was cancelled, before it began. */
export type QueueEnding<T> = { readonly kind: 'ran'; readonly value: T } | { readonly kind: 'stopped' };

export class RunQueue {
  readonly #limit: number;
  readonly #entries = new Map<string, Entry>();
  readonly #waiting: (() => void)[] = [];
  #active = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Cancels what runs for `key`, waits until it is gone, and then runs `job`. Throws what `job` throws.
   * `job` must end soon after its signal is aborted. `outer` aborts this job and no other of the key.
   */
  async run<T>(
    key: string,
    job: (signal: AbortSignal) => Promise<T>,
    outer?: AbortSignal,
  ): Promise<QueueEnding<T>> {
    const before = this.#entries.get(key);
    before?.controller.abort();
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    if (outer?.aborted) stop();
    outer?.addEventListener('abort', stop, { once: true });
    const result = this.#runAfter(before?.ended, controller.signal, job);
    const ended = result.catch(() => undefined);
    const entry: Entry = { controller, ended };
    this.#entries.set(key, entry);
    try {
      return await result;
    } finally {
      outer?.removeEventListener('abort', stop);
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }

  /** Aborts the run of `key` and resolves when it has ended. */
  async cancel(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    entry?.controller.abort();
    await entry?.ended;
  }

  isBusy(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Whether a new run would have to wait for another key's. */
  get isFull(): boolean {
    return this.#active >= this.#limit;
  }

  /** Aborts everything and resolves when all has ended. */
  async dispose(): Promise<void> {
    const entries = [...this.#entries.values()];
    for (const { controller } of entries) controller.abort();
    await Promise.all(entries.map(({ ended }) => ended));
  }

  async #runAfter<T>(
    before: Promise<unknown> | undefined,
    signal: AbortSignal,
    job: (signal: AbortSignal) => Promise<T>,
  ): Promise<QueueEnding<T>> {
    await before;
    if (!(await this.#waitForTurn(signal))) return { kind: 'stopped' };
    try {
      return { kind: 'ran', value: await job(signal) };
    } finally {
      this.#active--;
      this.#waiting.shift()?.();
    }
  }

  /** False when the signal was aborted first. */
  async #waitForTurn(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted && this.#active >= this.#limit) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          const index = this.#waiting.indexOf(wake);
          if (index !== -1) this.#waiting.splice(index, 1);
          resolve();
        };
        this.#waiting.push(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    }
    if (signal.aborted) {
      // Whoever woke us gave the turn to us; pass it on.
      if (this.#active < this.#limit) this.#waiting.shift()?.();
      return false;
    }
    this.#active++;
    return true;
  }
}
