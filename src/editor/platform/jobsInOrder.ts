/** Does jobs one after the other, in the order in which they came. One that fails is reported, and those after it still run. */
export class JobsInOrder {
  readonly #failed: (error: unknown) => void;
  #last: Promise<void> = Promise.resolve();

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  add(job: () => Promise<void> | void): void {
    this.#last = this.#last.then(job).catch(this.#failed);
  }

  /** Resolves when all jobs that were added until now are done. */
  get done(): Promise<void> {
    return this.#last;
  }
}
