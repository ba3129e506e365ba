/** One record batch: where the buffers of each column are, read only when they are asked for. */
import { DataType } from 'apache-arrow';
import type { Field } from 'apache-arrow';
import { decompressZstd } from 'hyparquet-compressors';
import type { ByteSource } from '../byteSource.ts';
import { Corrupt, TooLarge, Unsupported } from '../formatErrors.ts';
import { hasOffsets, isView } from './byteTypes.ts';
import { FlatTable } from './flatbuffer.ts';
import { decompressLz4Frame } from './lz4Frame.ts';
import type { BatchRange } from './messages.ts';

/** One column's part of a batch: consecutive nodes (length, null count) and buffers. */
export interface ColumnPart {
  readonly firstNode: number;
  readonly nodes: number;
  readonly firstBuffer: number;
  readonly buffers: number;
  readonly variadicCounts: readonly number[];
}

export class Batch {
  readonly rows: number;
  readonly #source: ByteSource;
  readonly #range: BatchRange;
  /** Length and null count, in turn. */
  readonly #nodes: readonly number[];
  /** Offset and length, in turn. */
  readonly #buffers: readonly number[];
  readonly #variadicCounts: readonly number[];
  readonly #codec: number | undefined;

  private constructor(source: ByteSource, range: BatchRange, table: FlatTable) {
    this.#source = source;
    this.#range = range;
    this.rows = table.int64(0);
    this.#nodes = table.int64s(1, 2);
    this.#buffers = table.int64s(2, 2);
    this.#codec = table.table(3)?.int8(0);
    this.#variadicCounts = table.int64s(4);
  }

  /** Reads a batch's metadata; for a dictionary batch that of its values. */
  static async read(source: ByteSource, range: BatchRange, signal?: AbortSignal): Promise<Batch> {
    const header = FlatTable.root(await source.read(range.metadataAt, range.metadataLength, signal));
    const table = header.table(2);
    const batch = header.int8(1) === 2 ? table?.table(1) : table;
    if (batch === undefined) throw new Corrupt('a batch has no header');
    return new Batch(source, range, batch);
  }

  get isCompressed(): boolean {
    return this.#codec !== undefined;
  }

  /** The part of the column at `index`; depends on the types of all columns before it. */
  part(fields: readonly Field[], index: number): ColumnPart {
    const counter = { node: 0, buffer: 0, variadic: 0 };
    for (const field of fields.slice(0, index)) this.#count(field.type, counter);
    const first = { ...counter };
    const field = fields[index];
    if (field === undefined) throw new Corrupt(`it has no column ${index}`);
    this.#count(field.type, counter);
    return {
      firstNode: first.node,
      nodes: counter.node - first.node,
      firstBuffer: first.buffer,
      buffers: counter.buffer - first.buffer,
      variadicCounts: this.#variadicCounts.slice(first.variadic, counter.variadic),
    };
  }

  /** Everything in the batch, as the values of a dictionary are. */
  wholePart(): ColumnPart {
    return {
      firstNode: 0,
      nodes: this.#nodes.length / 2,
      firstBuffer: 0,
      buffers: this.#buffers.length / 2,
      variadicCounts: this.#variadicCounts,
    };
  }

  node(index: number): { length: number; nullCount: number } {
    const length = this.#nodes[2 * index];
    const nullCount = this.#nodes[2 * index + 1];
    if (length === undefined || nullCount === undefined) throw new Corrupt('a batch misses a column');
    return { length, nullCount };
  }

  /** Bytes that buffer `index` takes in the file. */
  storedLength(index: number): number {
    return this.#region(index).length;
  }

  /** All of a buffer, decompressed. */
  async buffer(index: number, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
    const { offset, length } = this.#region(index);
    if (length > maxBytes) throw new TooLarge(`a buffer of it has ${length} bytes, more than ${maxBytes}`);
    const stored = await this.#source.read(offset, length, signal);
    return this.#codec === undefined || length === 0
      ? stored
      : decompressBuffer(stored, this.#codec, maxBytes);
  }

  /** Part of a buffer; only that part is read, unless the batch is compressed. */
  async slice(
    index: number,
    start: number,
    length: number,
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    if (this.isCompressed) {
      const bytes = await this.buffer(index, maxBytes, signal);
      if (!(start >= 0 && length >= 0 && start + length <= bytes.length)) throw outside();
      return new Uint8Array(bytes.subarray(start, start + length));
    }
    const region = this.#region(index);
    if (!(start >= 0 && length >= 0 && start + length <= region.length)) throw outside();
    return this.#source.read(region.offset + start, length, signal);
  }

  #region(index: number): { offset: number; length: number } {
    const offset = this.#buffers[2 * index];
    const length = this.#buffers[2 * index + 1];
    if (offset === undefined || length === undefined) throw new Corrupt('a batch misses a buffer');
    if (!(offset >= 0 && length >= 0 && offset + length <= this.#range.bodyLength)) throw outside();
    return { offset: this.#range.bodyAt + offset, length };
  }

  /** How many nodes and buffers a type takes; see "Physical memory layout" in Arrow's columnar format. */
  #count(type: DataType, counter: { node: number; buffer: number; variadic: number }): void {
    counter.node++;
    if (DataType.isNull(type)) return;
    if (DataType.isUnion(type)) counter.buffer += type.mode === 0 ? 1 : 2;
    else if (DataType.isStruct(type) || DataType.isFixedSizeList(type)) counter.buffer += 1;
    else if (isView(type)) {
      counter.buffer += 2 + (this.#variadicCounts[counter.variadic++] ?? 0);
    } else counter.buffer += hasOffsets(type) ? 3 : 2;
    // The values of a dictionary are in batches of their own; here are only the keys.
    if (!DataType.isDictionary(type)) {
      for (const child of type.children ?? []) this.#count(child.type, counter);
    }
  }
}

/** Compressed buffers begin with their length as 8 bytes; -1 says that this one is stored as it is. */
function decompressBuffer(stored: Buffer, codec: number, maxBytes: number): Uint8Array {
  if (stored.length < 8) throw new Corrupt('a compressed buffer is too short');
  const length = Number(stored.readBigInt64LE(0));
  const data = stored.subarray(8);
  if (length === -1) return data;
  if (!(length >= 0)) throw new Corrupt('a compressed buffer has no readable length');
  if (length > maxBytes) throw new TooLarge(`a buffer of it has ${length} bytes, more than ${maxBytes}`);
  if (codec === CODEC.lz4) return decompressLz4Frame(data, length);
  if (codec !== CODEC.zstd) throw new Unsupported(`its compression codec ${codec} is not supported`);
  let bytes: Uint8Array;
  try {
    bytes = decompressZstd(data, new Uint8Array(length));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Corrupt(`a buffer cannot be decompressed (${why})`, { cause: error });
  }
  if (bytes.length !== length) throw new Corrupt('a buffer has another length than it claims');
  return bytes;
}

const CODEC = { lz4: 0, zstd: 1 };

function outside(): Corrupt {
  return new Corrupt('a value reaches outside of its batch');
}
