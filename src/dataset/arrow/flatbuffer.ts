/**
 * Reads FlatBuffers tables with every access checked. apache-arrow's reader takes lengths on trust, so that one
 * flipped byte makes it loop over a vector of two billion entries; what this lets through is safe to hand on.
 * Format: https://flatbuffers.dev/internals/
 */
import { Corrupt } from '../formatErrors.ts';

export class FlatTable {
  readonly #bytes: DataView;
  readonly #at: number;

  private constructor(bytes: DataView, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(
      view,
      guarded(() => view.getUint32(0, true)),
    );
  }

  int8(field: number): number {
    return this.#scalar(field, (at) => this.#bytes.getInt8(at));
  }

  int16(field: number): number {
    return this.#scalar(field, (at) => this.#bytes.getInt16(at, true));
  }

  /** A 64-bit integer as a number; `Corrupt` when it is not a safe one. */
  int64(field: number): number {
    return this.#scalar(field, (at) => safeInt64(this.#bytes, at));
  }

  table(field: number): FlatTable | undefined {
    const at = this.#fieldAt(field);
    return at === undefined ? undefined : new FlatTable(this.#bytes, this.#follow(at));
  }

  /** The tables of a vector of tables. */
  tables(field: number): FlatTable[] {
    const { start, length } = this.#vector(field, 4);
    return Array.from({ length }, (_, index) => new FlatTable(this.#bytes, this.#follow(start + 4 * index)));
  }

  /** A vector of 64-bit integers, or of structs made of them: `perEntry` integers each. */
  int64s(field: number, perEntry = 1): number[] {
    const { start, length } = this.#vector(field, 8 * perEntry);
    return Array.from({ length: length * perEntry }, (_, index) =>
      guarded(() => safeInt64(this.#bytes, start + 8 * index)),
    );
  }

  #scalar(field: number, read: (at: number) => number): number {
    const at = this.#fieldAt(field);
    return at === undefined ? 0 : guarded(() => read(at));
  }

  #vector(field: number, entryBytes: number): { start: number; length: number } {
    const at = this.#fieldAt(field);
    if (at === undefined) return { start: 0, length: 0 };
    const vector = this.#follow(at);
    const length = guarded(() => this.#bytes.getUint32(vector, true));
    const start = vector + 4;
    if (start + length * entryBytes > this.#bytes.byteLength) {
      throw new Corrupt(`its metadata holds a list of ${length} entries`);
    }
    return { start, length };
  }

  #follow(at: number): number {
    return at + guarded(() => this.#bytes.getUint32(at, true));
  }

  #fieldAt(field: number): number | undefined {
    return guarded(() => {
      const vtable = this.#at - this.#bytes.getInt32(this.#at, true);
      const slot = 4 + 2 * field;
      if (slot + 2 > this.#bytes.getUint16(vtable, true)) return undefined;
      const offset = this.#bytes.getUint16(vtable + slot, true);
      return offset === 0 ? undefined : this.#at + offset;
    });
  }
}

function safeInt64(view: DataView, at: number): number {
  const value = Number(view.getBigInt64(at, true));
  if (!Number.isSafeInteger(value)) throw new Corrupt('its metadata holds a number that is far too large');
  return value;
}

function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new Corrupt('its metadata points outside of itself');
    throw error;
  }
}
