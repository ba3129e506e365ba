/** Reads exact counts of bytes from a stream of chunks; holds no more than the requested bytes and one chunk. */

export class ByteReader {
  /** Bytes handed out so far. */
  position = 0;
  #chunk: Uint8Array = new Uint8Array(0);
  readonly #source: AsyncIterator<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next `count` bytes as a copy; fewer only when the source ends before. */
  async take(count: number): Promise<Uint8Array> {
    const taken = new Uint8Array(count);
    let filled = 0;
    while (filled < count && (await this.#fill())) {
      const part = this.#chunk.subarray(0, count - filled);
      taken.set(part, filled);
      this.#drop(part.length);
      filled += part.length;
    }
    return filled === count ? taken : taken.slice(0, filled);
  }

  /** Skips `count` bytes; returns how many there were. */
  async skip(count: number): Promise<number> {
    let skipped = 0;
    while (skipped < count && (await this.#fill())) {
      const length = Math.min(this.#chunk.length, count - skipped);
      this.#drop(length);
      skipped += length;
    }
    return skipped;
  }

  /** Closes the source, also before its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #drop(length: number): void {
    this.#chunk = this.#chunk.subarray(length);
    this.position += length;
  }

  async #fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const next = await this.#source.next();
      if (next.done === true) return false;
      this.#chunk = next.value;
    }
    return true;
  }
}
