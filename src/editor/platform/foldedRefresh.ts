/** Does work that is asked for more often than it can be done: calls during the work are folded into one more. */

export class FoldedRefresh {
  readonly #work: () => Promise<void>;
  #underWay: Promise<void> | undefined;
  #again = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when work that began after this call is done. Rejects as the work does, and the next call starts anew. */
  run(): Promise<void> {
    this.#again = true;
    this.#underWay ??= this.#untilDone();
    return this.#underWay;
  }

  async #untilDone(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#work();
      }
    } finally {
      this.#underWay = undefined;
    }
  }
}
