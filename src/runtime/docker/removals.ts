// Removals of ended containers that nobody waits for until the runtime itself ends.

export class Removals {
  readonly #pending = new Set<Promise<unknown>>();

  /** Takes over a removal; a container that resists is left to the next sweep. */
  add(removal: Promise<unknown>): void {
    const settled = removal
      .catch(() => undefined)
      .finally(() => {
        this.#pending.delete(settled);
      });
    this.#pending.add(settled);
  }

  /** Settles when all that were taken over so far have ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
  }
}
