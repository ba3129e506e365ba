/**
 * Indexes an Arrow IPC stream or file by walking its message headers: bodies, where the cells are, are not read.
 * Format: https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
 */
import { setImmediate } from 'node:timers/promises';
import type { Field, Schema } from 'apache-arrow';
import type { ByteSource } from '../byteSource.ts';
import { DatasetError } from '../datasetError.ts';
import { Corrupt, Unsupported } from '../formatErrors.ts';
import { lastAtOrBefore } from '../tables/lastAtOrBefore.ts';
import { FlatTable } from './flatbuffer.ts';
import { schemaOfFooter, schemaOfMessage } from './schema.ts';

/** Where a batch's metadata and body are. */
export interface BatchRange {
  readonly metadataAt: number;
  readonly metadataLength: number;
  readonly bodyAt: number;
  readonly bodyLength: number;
}

export interface RowBatch extends BatchRange {
  readonly firstRow: number;
  readonly rows: number;
  /** Dictionary batches in force for this batch, by dictionary id; deltas come after what they extend. */
  readonly dictionaries: ReadonlyMap<number, readonly BatchRange[]>;
}

export interface ArrowIndex {
  /** Messages one after the other, or the same between magic words and with a footer. */
  readonly framing: 'stream' | 'file';
  readonly schema: Schema;
  readonly fields: readonly Field[];
  readonly batches: readonly RowBatch[];
  readonly rowCount: number;
}

const FILE_MAGIC = 'ARROW1';
const WINDOW = 8 * 1024;
/** How long the walk may keep the event loop to itself. */
const SLICE_MS = 8;
const MAX_METADATA_BYTES = 64 * 1024 * 1024;
const MAX_ROWS = 1 << 24;
const HEADER = { schema: 1, dictionary: 2, rows: 3 };

/** Indexes an open file of either format. Throws `DatasetError`. */
export async function indexArrow(source: ByteSource, signal?: AbortSignal): Promise<ArrowIndex> {
  try {
    return await walk(source, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Unsupported) {
      throw new DatasetError(
        'unsupported',
        `${source.location} cannot be opened: ${error.message}.`,
        'Write it again with a current version of pyarrow.',
      );
    }
    // apache-arrow's decoder of schemas throws plain errors for what it does not know.
    if (error instanceof DatasetError || !(error instanceof Error)) throw error;
    throw new DatasetError(
      'corrupt',
      `${source.location} is a damaged Arrow file: ${error.message}.`,
      'Download or write the file again.',
      { cause: error },
    );
  }
}

async function walk(source: ByteSource, signal?: AbortSignal): Promise<ArrowIndex> {
  const { framing, start, end } = await messageRange(source, signal);
  const messages = new MessageReader(source, end);
  const batches: RowBatch[] = [];
  let dictionaries: ReadonlyMap<number, readonly BatchRange[]> = new Map();
  let schema: Schema | undefined;
  let rowCount = 0;
  for (let at = start; at < end;) {
    signal?.throwIfAborted();
    const message = await messages.at(at, signal);
    if (message === undefined) break;
    const { metadata, ...range } = message;
    const table = FlatTable.root(metadata);
    const header = table.table(2);
    const type = table.int8(1);
    if (header === undefined) throw new Corrupt('a message has no header');
    if (at === start && type === HEADER.schema) {
      schema = schemaOfMessage(metadata);
    } else if (schema === undefined && framing === 'stream') {
      throw new Corrupt('it does not begin with a schema');
    } else if (type === HEADER.dictionary) {
      const known = header.int8(2) === 0 ? [] : (dictionaries.get(header.int64(0)) ?? []);
      dictionaries = new Map(dictionaries).set(header.int64(0), [...known, range]);
    } else if (type === HEADER.rows) {
      const rows = header.int64(0);
      if (!(rows >= 0 && rowCount + rows <= MAX_ROWS))
        throw new Corrupt(`it claims more than ${MAX_ROWS} rows`);
      if (rows > 0) batches.push({ ...range, firstRow: rowCount, rows, dictionaries });
      rowCount += rows;
    }
    at = range.bodyAt + range.bodyLength;
  }
  // apache-arrow's JavaScript writes the schema of a file into its footer only.
  if (framing === 'file') schema ??= schemaOfFooter(await readFooter(source, end, signal));
  if (schema === undefined) throw new Corrupt('it has no schema');
  return { framing, schema, fields: schema.fields, batches, rowCount };
}

/** The batch that `row` is in. */
export function batchOf(batches: readonly RowBatch[], row: number): RowBatch {
  const batch = batches[lastAtOrBefore(batches, row)];
  if (batch === undefined) throw new Corrupt('it has no batches');
  return batch;
}

/** The stream format is all messages; the file format has magic around them and a footer after them. */
async function messageRange(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<{ framing: 'stream' | 'file'; start: number; end: number }> {
  const head = await source.read(0, Math.min(8, source.size), signal);
  if (head.toString('latin1', 0, 6) !== FILE_MAGIC) return { framing: 'stream', start: 0, end: source.size };
  const tail = source.size < 18 ? undefined : await source.read(source.size - 10, 10, signal);
  if (tail?.toString('latin1', 4) !== FILE_MAGIC) throw truncated(source);
  const end = source.size - 10 - tail.readUInt32LE(0);
  if (end < 8) throw new Corrupt(`its footer has an impossible length, ${tail.readUInt32LE(0)} bytes`);
  return { framing: 'file', start: 8, end };
}

async function readFooter(source: ByteSource, start: number, signal?: AbortSignal): Promise<Buffer> {
  const length = source.size - 10 - start;
  if (length > MAX_METADATA_BYTES) throw new Corrupt(`its footer claims ${length} bytes`);
  return source.read(start, length, signal);
}

interface MessageRange extends BatchRange {
  readonly metadata: Uint8Array;
}

/** Reads message metadata through a small window, so that small batches share one read. */
class MessageReader {
  readonly #source: ByteSource;
  readonly #end: number;
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;
  #sliceStart = performance.now();

  constructor(source: ByteSource, end: number) {
    this.#source = source;
    this.#end = end;
  }

  /** The message at `offset`, or `undefined` at the end of the stream. */
  async at(offset: number, signal?: AbortSignal): Promise<MessageRange | undefined> {
    if (offset + 4 > this.#end) throw truncated(this.#source);
    const prefix = await this.#bytes(offset, Math.min(8, this.#end - offset), signal);
    // Before version 0.15 there was no continuation marker in front of the length.
    const marked = prefix.readUInt32LE(0) === 0xffffffff;
    if (marked && prefix.length < 8) throw truncated(this.#source);
    const metadataLength = prefix.readInt32LE(marked ? 4 : 0);
    if (metadataLength === 0) return undefined;
    const metadataAt = offset + (marked ? 8 : 4);
    if (metadataLength < 0 || metadataLength > MAX_METADATA_BYTES) {
      throw new Corrupt(`a message claims ${metadataLength} bytes of metadata`);
    }
    if (metadataAt + metadataLength > this.#end) throw truncated(this.#source);
    const metadata = await this.#bytes(metadataAt, metadataLength, signal);
    const bodyLength = FlatTable.root(metadata).int64(3);
    const bodyAt = metadataAt + metadataLength;
    if (bodyLength < 0) throw new Corrupt('a message has a body of negative length');
    if (bodyAt + bodyLength > this.#end) throw truncated(this.#source);
    return { metadata, metadataAt, metadataLength, bodyAt, bodyLength };
  }

  async #readSmall(offset: number, length: number): Promise<Buffer> {
    if (performance.now() - this.#sliceStart > SLICE_MS) {
      await setImmediate();
      this.#sliceStart = performance.now();
    }
    return this.#source.readSmall(offset, length);
  }

  async #bytes(offset: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    const from = offset - this.#windowStart;
    if (from < 0 || from + length > this.#window.length) {
      const wanted = Math.max(length, Math.min(WINDOW, this.#end - offset));
      this.#window =
        wanted <= WINDOW
          ? await this.#readSmall(offset, wanted)
          : await this.#source.read(offset, wanted, signal);
      this.#windowStart = offset;
    }
    return this.#window.subarray(offset - this.#windowStart, offset - this.#windowStart + length);
  }
}

function truncated({ location, size }: ByteSource): DatasetError {
  return new DatasetError(
    'truncated',
    `${location} is an Arrow file that ends in the middle, after ${size} bytes.`,
    'Download or copy the file again, and wait until that is done.',
  );
}
