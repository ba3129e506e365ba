/**
 * The paths of all rows, kept as one run of UTF-8 bytes and one offset per row: 600,000 paths cost about
 * as much memory as the text itself, and no string exists until it is asked for.
 */

import { TooLarge } from '../formatErrors.ts';

const FIRST_BYTES = 1024;

/** Paths by row. Paths may repeat; rows stay distinct. A row whose path is null has the empty path. */
export class PathList {
  readonly #bytes: Buffer;
  /** Where row i starts; one entry more than there are rows. */
  readonly #starts: Uint32Array;
  #folded: Buffer | undefined;

  constructor(bytes: Buffer, starts: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
  }

  get length(): number {
    return this.#starts.length - 1;
  }

  /** The bytes of one path. Not to be changed. Throws RangeError when there is no such row. */
  bytesAt(row: number): Buffer {
    const [start, end] = this.#range(row);
    return this.#bytes.subarray(start, end);
  }

  /** The path of `row`. Bytes that are not UTF-8 become U+FFFD. Throws RangeError when there is no such row. */
  pathAt(row: number): string {
    const [start, end] = this.#range(row);
    return this.#bytes.toString('utf8', start, end);
  }

  /** Paths of rows `from` to `to`, `to` left out; fewer at the end of the list. */
  slice(from: number, to: number): string[] {
    const paths: string[] = [];
    for (let row = Math.max(0, from); row < Math.min(to, this.length); row++) paths.push(this.pathAt(row));
    return paths;
  }

  /** The first `limit` rows whose path holds `text`; ASCII letters match in either case. */
  find(text: string, limit: number): number[] {
    if (text === '') return Array.from({ length: Math.min(limit, this.length) }, (_, row) => row);
    this.#folded ??= foldAscii(this.#bytes);
    return this.#search(this.#folded, foldAscii(Buffer.from(text)), limit, () => true);
  }

  /** All rows whose path is exactly `path`, in order. */
  rowsOf(path: string): number[] {
    const wanted = Buffer.from(path);
    if (wanted.length === 0) return this.#emptyRows();
    return this.#search(
      this.#bytes,
      wanted,
      Infinity,
      (start, row) => start === this.#starts[row] && start + wanted.length === this.#starts[row + 1],
    );
  }

  #range(row: number): readonly [start: number, end: number] {
    const start = this.#starts[row];
    const end = this.#starts[row + 1];
    if (start === undefined || end === undefined) {
      throw new RangeError(`There is no row ${row}; the last row is ${this.length - 1}.`);
    }
    return [start, end];
  }

  #search(
    bytes: Buffer,
    wanted: Buffer,
    limit: number,
    accept: (start: number, row: number) => boolean,
  ): number[] {
    const rows: number[] = [];
    let from = 0;
    while (rows.length < limit) {
      const start = bytes.indexOf(wanted, from);
      if (start === -1) break;
      const row = this.#rowAt(start);
      const rowEnd = this.#starts[row + 1] ?? bytes.length;
      if (start + wanted.length > rowEnd || !accept(start, row)) {
        from = start + 1;
      } else {
        rows.push(row);
        from = rowEnd;
      }
    }
    return rows;
  }

  /** The row that byte `offset` belongs to: the last one that starts at or before it. */
  #rowAt(offset: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #emptyRows(): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.length; row++) {
      if (this.#starts[row] === this.#starts[row + 1]) rows.push(row);
    }
    return rows;
  }
}

/** Gathers paths row by row into a `PathList`. Throws `TooLarge` once they exceed `maxBytes`. */
export class PathListBuilder {
  readonly #maxBytes: number;
  #bytes: Buffer;
  #starts: Uint32Array;
  #used = 0;
  #rows = 0;

  /** `expectedRows` only sizes the first allocation; a wrong or hostile number costs nothing. */
  constructor(expectedRows: number, maxBytes: number) {
    const rows = Math.min(Math.max(expectedRows, 16), 1 << 20);
    this.#maxBytes = Math.min(maxBytes, 0xffffffff);
    this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#starts = new Uint32Array(rows + 1);
  }

  /** Adds the next row's path, as UTF-8: `source` from `start` to `end`. */
  add(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.#used + length > this.#maxBytes)
      throw new TooLarge(`its paths have more than ${this.#maxBytes} bytes`);
    if (this.#used + length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#used + length));
      grown.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = grown;
    }
    if (length <= 48) {
      // For the usual short path a plain loop beats the fixed price of `set` with a fresh view.
      let at = this.#used;
      for (let i = start; i < end; i++) this.#bytes[at++] = source[i] ?? 0;
    } else {
      this.#bytes.set(source.subarray(start, end), this.#used);
    }
    this.#used += length;
    this.#endRow();
  }

  addText(path: string): void {
    const bytes = Buffer.from(path);
    this.add(bytes, 0, bytes.length);
  }

  /** The list; rows up to `rowCount` that were not added get the empty path. */
  finish(rowCount = this.#rows): PathList {
    while (this.#rows < rowCount) this.#endRow();
    return new PathList(
      Buffer.from(this.#bytes.subarray(0, this.#used)),
      this.#starts.slice(0, this.#rows + 1),
    );
  }

  #endRow(): void {
    this.#rows++;
    if (this.#rows >= this.#starts.length) {
      const grown = new Uint32Array(this.#starts.length * 2);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    this.#starts[this.#rows] = this.#used;
  }
}

function foldAscii(bytes: Buffer): Buffer {
  const folded = Buffer.allocUnsafeSlow(bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    folded[i] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
  }
  return folded;
}
