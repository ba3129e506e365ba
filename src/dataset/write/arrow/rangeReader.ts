/** Reads some rows of an Arrow column, whatever its type: of each buffer, only the part that these rows take. */
import { DataType, Vector } from 'apache-arrow';
import type { Data, Field } from 'apache-arrow';
import { Batch } from '../../arrow/batch.ts';
import { hasOffsets, isView } from '../../arrow/byteTypes.ts';
import type { BatchRange, RowBatch } from '../../arrow/messages.ts';
import type { ByteSource } from '../../byteSource.ts';
import { Corrupt, Unsupported } from '../../formatErrors.ts';
import { bitsFrom, columnData, widthOf } from './columnData.ts';
import { gatherViews } from './views.ts';

/** What one buffer's part, or a whole buffer where the batch is compressed, may take in memory. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024 - 1;

interface Cursor {
  readonly batch: Batch;
  readonly dictionaries: ReadonlyMap<number, readonly BatchRange[]>;
  /** Buffers of a compressed batch, which have to be unpacked whole. */
  readonly unpacked: Map<number, Uint8Array>;
  node: number;
  buffer: number;
  readonly variadic: number[];
}

interface Rows {
  readonly from: number;
  readonly count: number;
  readonly signal: AbortSignal | undefined;
}

export class RangeReader {
  readonly #source: ByteSource;
  readonly #fields: readonly Field[];
  /** The batch that was read last: batches are read in order. */
  #open: { range: RowBatch; batch: Batch; unpacked: Map<number, Uint8Array> } | undefined;
  /** A dictionary is loaded once, so that it is also written once. One that grows keeps the parts it has. */
  readonly #dictionaries = new Map<readonly BatchRange[], Vector>();
  readonly #dictionaryParts = new Map<BatchRange, Data>();

  constructor(source: ByteSource, fields: readonly Field[]) {
    this.#source = source;
    this.#fields = fields;
  }

  /** `count` rows of `range` beginning with its row `from`, of the column at `index`. */
  async read(
    index: number,
    range: RowBatch,
    from: number,
    count: number,
    signal?: AbortSignal,
  ): Promise<Data> {
    if (this.#open?.range !== range) {
      this.#open = { range, batch: await Batch.read(this.#source, range, signal), unpacked: new Map() };
    }
    const { batch, unpacked } = this.#open;
    const part = batch.part(this.#fields, index);
    const type = this.#fields[index]?.type;
    if (type === undefined) throw new Corrupt(`it has no column ${index}`);
    const cursor: Cursor = {
      batch,
      dictionaries: range.dictionaries,
      unpacked,
      node: part.firstNode,
      buffer: part.firstBuffer,
      variadic: [...part.variadicCounts],
    };
    return this.#values(cursor, type, { from, count, signal });
  }

  async #values(cursor: Cursor, type: DataType, rows: Rows): Promise<Data> {
    const { count, from } = rows;
    const { length, nullCount } = cursor.batch.node(cursor.node++);
    if (from + count > length) throw new Corrupt(`a batch has ${length} values, not ${from + count}`);
    if (DataType.isNull(type)) return columnData(type, count, {});
    if (DataType.isUnion(type)) throw new Unsupported('it holds unions, which cannot be copied');
    const validity = await bits(cursor, rows, nullCount === 0);
    if (DataType.isDictionary(type)) {
      const values = await fixed(cursor, type.indices, rows);
      const dictionary = await this.#dictionary(cursor, type, rows.signal);
      return columnData(type, count, { validity, values, dictionary });
    }
    if (DataType.isStruct(type)) {
      const children: Data[] = [];
      for (const child of type.children) children.push(await this.#values(cursor, child.type, rows));
      return columnData(type, count, { validity, children });
    }
    const [child] = (type.children ?? []).map((field: Field) => field.type);
    if (DataType.isFixedSizeList(type) && child !== undefined) {
      const inner = { ...rows, from: from * type.listSize, count: count * type.listSize };
      return columnData(type, count, { validity, children: [await this.#values(cursor, child, inner)] });
    }
    if (child !== undefined) {
      const { offsets, start, length: items } = await readOffsets(cursor, type, rows);
      const inner = { ...rows, from: start, count: items };
      return columnData(type, count, {
        validity,
        offsets,
        children: [await this.#values(cursor, child, inner)],
      });
    }
    if (hasOffsets(type)) {
      const { offsets, start, length: bytes } = await readOffsets(cursor, type, rows);
      const values = await slice(cursor, cursor.buffer++, start, bytes, rows.signal);
      return columnData(type, count, { validity, offsets, values });
    }
    if (isView(type)) {
      const views = await slice(cursor, cursor.buffer++, from * 16, count * 16, rows.signal);
      const first = cursor.buffer;
      cursor.buffer += cursor.variadic.shift() ?? 0;
      const gathered = await gatherViews(views, (buffer, start, bytes) =>
        slice(cursor, first + buffer, start, bytes, rows.signal),
      );
      return columnData(type, count, { validity, ...gathered });
    }
    const values = DataType.isBool(type)
      ? ((await bits(cursor, rows, false)) ?? new Uint8Array(0))
      : await fixed(cursor, type, rows);
    return columnData(type, count, { validity, values });
  }

  async #dictionary(
    cursor: Cursor,
    type: DataType & { id: number; dictionary: DataType },
    signal: AbortSignal | undefined,
  ): Promise<Vector> {
    const ranges = cursor.dictionaries.get(type.id) ?? [];
    const known = this.#dictionaries.get(ranges);
    if (known !== undefined) return known;
    const parts: Data[] = [];
    for (const range of ranges) {
      const part =
        this.#dictionaryParts.get(range) ??
        (await this.#dictionaryPart(range, cursor.dictionaries, type.dictionary, signal));
      this.#dictionaryParts.set(range, part);
      parts.push(part);
    }
    if (parts.length === 0) throw new Corrupt('its dictionary is missing');
    const dictionary = new Vector(parts);
    this.#dictionaries.set(ranges, dictionary);
    return dictionary;
  }

  async #dictionaryPart(
    range: BatchRange,
    dictionaries: Cursor['dictionaries'],
    type: DataType,
    signal: AbortSignal | undefined,
  ): Promise<Data> {
    const batch = await Batch.read(this.#source, range, signal);
    const { variadicCounts } = batch.wholePart();
    const cursor = {
      batch,
      dictionaries,
      unpacked: new Map(),
      node: 0,
      buffer: 0,
      variadic: [...variadicCounts],
    };
    return this.#values(cursor, type, { from: 0, count: batch.rows, signal });
  }
}

/** One bit per row, moved to begin with the first row; `undefined` where the buffer is left out. */
async function bits(cursor: Cursor, rows: Rows, isLeftOut: boolean): Promise<Uint8Array | undefined> {
  const buffer = cursor.buffer++;
  if (isLeftOut || cursor.batch.storedLength(buffer) === 0) return undefined;
  const { from, count, signal } = rows;
  const first = from >> 3;
  const bytes = await slice(cursor, buffer, first, ((from + count + 7) >> 3) - first, signal);
  return bitsFrom(bytes, from & 7, count);
}

async function fixed(cursor: Cursor, type: DataType, { from, count, signal }: Rows): Promise<Uint8Array> {
  const width = widthOf(type);
  return slice(cursor, cursor.buffer++, from * width, count * width, signal);
}

/** The offsets of the rows, counted from the first row's own, and what they span of the values. */
async function readOffsets(
  cursor: Cursor,
  type: DataType,
  { from, count, signal }: Rows,
): Promise<{ offsets: Int32Array | BigInt64Array; start: number; length: number }> {
  const isLarge = DataType.isLargeUtf8(type) || DataType.isLargeBinary(type) || DataType.isLargeList(type);
  const buffer = cursor.buffer++;
  const offsets = isLarge ? new BigInt64Array(count + 1) : new Int32Array(count + 1);
  if (count === 0) return { offsets, start: 0, length: 0 };
  const width = isLarge ? 8 : 4;
  const bytes = await slice(cursor, buffer, from * width, (count + 1) * width, signal);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = (index: number): number =>
    isLarge ? Number(view.getBigInt64(index * 8, true)) : view.getInt32(index * 4, true);
  const start = read(0);
  let last = start;
  for (let index = 0; index <= count; index++) {
    const offset = read(index);
    if (offset < last) throw new Corrupt('a value of it has a negative length');
    last = offset;
    if (offsets instanceof BigInt64Array) offsets[index] = BigInt(offset - start);
    else offsets[index] = offset - start;
  }
  return { offsets, start, length: last - start };
}

async function slice(
  cursor: Cursor,
  buffer: number,
  start: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (length === 0) return new Uint8Array(0);
  if (!cursor.batch.isCompressed) return cursor.batch.slice(buffer, start, length, MAX_BYTES, signal);
  let bytes = cursor.unpacked.get(buffer);
  if (bytes === undefined) {
    bytes = await cursor.batch.buffer(buffer, MAX_BYTES, signal);
    cursor.unpacked.set(buffer, bytes);
  }
  if (!(start >= 0 && start + length <= bytes.length))
    throw new Corrupt('a value reaches outside of its batch');
  return new Uint8Array(bytes.subarray(start, start + length));
}
