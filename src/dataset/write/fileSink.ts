/** A file that is written from its beginning to its end, in large pieces. */
import type { FileHandle } from 'node:fs/promises';

const PIECE_BYTES = 1024 * 1024;

export class FileSink {
  readonly #handle: FileHandle;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #position = 0;

  /** Takes an open, empty file, which stays the caller's to close. */
  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Bytes given to `write` so far. */
  get position(): number {
    return this.#position;
  }

  /** Takes `bytes` over: they must not change afterwards. */
  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
    this.#position += bytes.length;
    if (this.#keptBytes >= PIECE_BYTES) await this.#flush();
  }

  /** Writes what is left and waits until all of it is on the disk. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#handle.sync();
  }

  async #flush(): Promise<void> {
    const [first = new Uint8Array(0), ...others] = this.#kept;
    this.#kept = [];
    this.#keptBytes = 0;
    // One write for all that is small; unlike `write`, `writeFile` goes on until every byte is written.
    await this.#handle.writeFile(others.length === 0 ? first : Buffer.concat([first, ...others]));
  }
}
