/** Reads cells of text and binary columns straight from the file: a few bytes of offsets, then the cell. */
import { DataType } from 'apache-arrow';
import type { Field } from 'apache-arrow';
import type { ByteSource } from '../byteSource.ts';
import { Corrupt, TooLarge, Unsupported } from '../formatErrors.ts';
import { Batch } from './batch.ts';
import type { ColumnPart } from './batch.ts';
import { isSet } from './bitmap.ts';
import { hasOffsets, isView } from './byteTypes.ts';
import type { RowBatch } from './messages.ts';

/** Whether cells of this column can be read as bytes. */
export function holdsBytes(type: DataType): boolean {
  return (
    hasOffsets(type) ||
    isView(type) ||
    (DataType.isDictionary(type) && holdsBytes(type.dictionary) && !DataType.isDictionary(type.dictionary))
  );
}

export class BinaryColumn {
  readonly #source: ByteSource;
  readonly #fields: readonly Field[];
  readonly #index: number;
  readonly #type: DataType;

  constructor(source: ByteSource, fields: readonly Field[], index: number, type: DataType) {
    this.#source = source;
    this.#fields = fields;
    this.#index = index;
    this.#type = type;
  }

  /** The cell at `row` of `range`, counted from the batch's start, or `null`. */
  async cell(
    range: RowBatch,
    row: number,
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array | null> {
    const batch = await Batch.read(this.#source, range, signal);
    const part = batch.part(this.#fields, this.#index);
    checkLength(batch, part, row + 1);
    if (!DataType.isDictionary(this.#type)) {
      return readCell(batch, part, this.#type, row, maxBytes, signal);
    }
    if (await isNull(batch, part, row, maxBytes, signal)) return null;
    const width = this.#type.indices.bitWidth / 8;
    const keyLimit = Math.max(maxBytes, batch.rows * width + 64);
    const key = readKey(
      viewOf(await batch.slice(part.firstBuffer + 1, row * width, width, keyLimit, signal)),
      0,
      this.#type.indices,
    );
    return this.#dictionaryCell(range, this.#type, key, maxBytes, signal);
  }

  /** Calls `add` with every cell of a batch, in order. */
  async scan(
    range: RowBatch,
    add: (bytes: Uint8Array, start: number, end: number) => void,
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const batch = await Batch.read(this.#source, range, signal);
    const part = batch.part(this.#fields, this.#index);
    checkLength(batch, part, range.rows);
    if (!DataType.isDictionary(this.#type)) {
      const values = await readAll(batch, part, this.#type, range.rows, maxBytes, signal);
      for (let row = 0; row < range.rows; row++) {
        add(values.bytesOf(row), values.starts[row] ?? 0, values.ends[row] ?? 0);
      }
      return;
    }
    const { dictionary, indices, id } = this.#type;
    const parts: Values[] = [];
    for (const dictionaryRange of range.dictionaries.get(id) ?? []) {
      const values = await Batch.read(this.#source, dictionaryRange, signal);
      parts.push(await readAll(values, values.wholePart(), dictionary, values.rows, maxBytes, signal));
    }
    const keys = await batch.buffer(part.firstBuffer + 1, maxBytes, signal);
    const keyView = viewOf(keys);
    const validity = await readValidity(batch, part, maxBytes, signal);
    for (let row = 0; row < range.rows; row++) {
      if (validity !== undefined && !isSet(validity, row)) {
        add(keys, 0, 0);
        continue;
      }
      let key = readKey(keyView, row, indices);
      const values = parts.find((candidate) => {
        if (key < candidate.starts.length) return true;
        key -= candidate.starts.length;
        return false;
      });
      if (values === undefined)
        throw new Corrupt(`row ${row} of a batch refers to a missing dictionary entry`);
      add(values.bytesOf(key), values.starts[key] ?? 0, values.ends[key] ?? 0);
    }
  }

  async #dictionaryCell(
    range: RowBatch,
    type: DataType & { dictionary: DataType; id: number },
    key: number,
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array | null> {
    let index = key;
    for (const dictionaryRange of range.dictionaries.get(type.id) ?? []) {
      const batch = await Batch.read(this.#source, dictionaryRange, signal);
      if (index < batch.rows) {
        return readCell(batch, batch.wholePart(), type.dictionary, index, maxBytes, signal);
      }
      index -= batch.rows;
    }
    throw new Corrupt(`it refers to entry ${key} of a dictionary that has no such entry`);
  }
}

interface Values {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  bytesOf(index: number): Uint8Array;
}

async function readCell(
  batch: Batch,
  part: ColumnPart,
  type: DataType,
  row: number,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array | null> {
  if (await isNull(batch, part, row, maxBytes, signal)) return null;
  const values = part.firstBuffer + 1;
  // Offsets and views are as long as the batch has rows, whatever a cell may be.
  const indexLimit = Math.max(maxBytes, batch.rows * 16 + 64);
  if (isView(type)) {
    const view = await batch.slice(values, row * 16, 16, indexLimit, signal);
    const { length, buffer, offset } = readView(viewOf(view), 0);
    refuseLarge(length, maxBytes);
    return buffer === undefined
      ? new Uint8Array(view.subarray(4, 4 + length))
      : batch.slice(values + 1 + buffer, offset, length, maxBytes, signal);
  }
  const width = offsetWidth(type);
  const offsets = viewOf(await batch.slice(values, row * width, 2 * width, indexLimit, signal));
  const start = readOffset(offsets, 0, width);
  const length = readOffset(offsets, 1, width) - start;
  if (length < 0) throw new Corrupt('it has a negative length');
  refuseLarge(length, maxBytes);
  return batch.slice(values + 1, start, length, batch.isCompressed ? UNPACK_LIMIT : maxBytes, signal);
}

/** A compressed batch has to be unpacked whole to read one cell of it. */
const UNPACK_LIMIT = 1024 * 1024 * 1024;

async function readAll(
  batch: Batch,
  part: ColumnPart,
  type: DataType,
  rows: number,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Values> {
  const first = part.firstBuffer + 1;
  const validity = await readValidity(batch, part, maxBytes, signal);
  const index = await batch.buffer(first, maxBytes, signal);
  const data: Uint8Array[] = [];
  for (let i = 1; i < part.buffers - 1; i++) data.push(await batch.buffer(first + i, maxBytes, signal));
  const starts = new Float64Array(rows);
  const ends = new Float64Array(rows);
  const from = isView(type) ? new Uint32Array(rows) : undefined;
  const width = offsetWidth(type);
  const indexView = viewOf(index);
  if (rows > 0 && index.length < (isView(type) ? rows * 16 : (rows + 1) * width))
    throw new Corrupt('its offsets are cut off');
  for (let row = 0; row < rows; row++) {
    if (validity !== undefined && !isSet(validity, row)) continue;
    let bytes = data[0];
    let start: number;
    let end: number;
    if (from !== undefined) {
      const view = readView(indexView, row);
      // Buffer 0 stands for the views themselves, which hold short values.
      from[row] = view.buffer === undefined ? 0 : view.buffer + 1;
      bytes = view.buffer === undefined ? index : data[view.buffer];
      start = view.buffer === undefined ? row * 16 + 4 : view.offset;
      end = start + view.length;
    } else {
      start = readOffset(indexView, row, width);
      end = readOffset(indexView, row + 1, width);
    }
    if (!(start >= 0 && end >= start && end <= (bytes?.length ?? 0))) {
      throw new Corrupt(`row ${row} of a batch reaches outside of its data`);
    }
    starts[row] = start;
    ends[row] = end;
  }
  return {
    starts,
    ends,
    bytesOf: (row) =>
      (from === undefined ? data[0] : from[row] === 0 ? index : data[(from[row] ?? 0) - 1]) ?? index,
  };
}

async function isNull(
  batch: Batch,
  part: ColumnPart,
  row: number,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<boolean> {
  if (batch.node(part.firstNode).nullCount === 0 || batch.storedLength(part.firstBuffer) === 0) return false;
  const limit = Math.max(maxBytes, batch.rows + 64);
  const byte = await batch.slice(part.firstBuffer, row >>> 3, 1, limit, signal);
  return !isSet(byte, row & 7);
}

async function readValidity(
  batch: Batch,
  part: ColumnPart,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (batch.node(part.firstNode).nullCount === 0 || batch.storedLength(part.firstBuffer) === 0)
    return undefined;
  return batch.buffer(part.firstBuffer, maxBytes, signal);
}

function checkLength(batch: Batch, part: ColumnPart, rows: number): void {
  const { length } = batch.node(part.firstNode);
  if (length < rows) throw new Corrupt(`a batch has ${length} values where ${rows} are expected`);
}

function offsetWidth(type: DataType): 4 | 8 {
  return DataType.isLargeBinary(type) || DataType.isLargeUtf8(type) ? 8 : 4;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readOffset(view: DataView, index: number, width: 4 | 8): number {
  return width === 4 ? view.getInt32(4 * index, true) : Number(view.getBigInt64(8 * index, true));
}

/** Values of up to 12 bytes are in the view itself; see "Variable-size Binary View Layout". */
function readView(
  view: DataView,
  index: number,
): { length: number; buffer: number | undefined; offset: number } {
  const length = view.getInt32(16 * index, true);
  if (length < 0) throw new Corrupt('it has a negative length');
  if (length <= 12) return { length, buffer: undefined, offset: 0 };
  return {
    length,
    buffer: view.getInt32(16 * index + 8, true),
    offset: view.getInt32(16 * index + 12, true),
  };
}

function readKey(view: DataView, index: number, type: { readonly bitWidth: number }): number {
  const at = (index * type.bitWidth) / 8;
  switch (type.bitWidth) {
    case 8:
      return view.getUint8(at);
    case 16:
      return view.getUint16(at, true);
    case 32:
      return view.getUint32(at, true);
    case 64:
      return Number(view.getBigUint64(at, true));
    default:
      throw new Unsupported(`its dictionary has keys of ${type.bitWidth} bits`);
  }
}

function refuseLarge(length: number, maxBytes: number): void {
  if (length > maxBytes) throw new TooLarge(`it has ${length} bytes, more than ${maxBytes}`);
}
