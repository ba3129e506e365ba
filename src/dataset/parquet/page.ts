/** Decodes one data page of a column: levels that say which rows are null, and the values that are there. */
import type { CompressionCodec, Encoding, PageHeader, ParquetType } from 'hyparquet';
import { byteStreamSplit } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { Corrupt, TooLarge, Unsupported } from '../formatErrors.ts';
import type { ByteArrays } from './byteArrays.ts';
import { readByteArrays, readDictionaryIndices, readPlainByteArrays } from './byteArrays.ts';
import { decompress } from './decompress.ts';
import { readDelta32, readDelta64 } from './deltaPacked.ts';
import type { LeafColumn } from './footer.ts';
import { pageValueCount, readPageHeader } from './pageMap.ts';
import { bitWidthOf, readRleHybrid } from './rleHybrid.ts';

/** Values without the nulls among them. Scalars are hyparquet's: numbers, bigints, booleans, bytes. */
export type PageValues =
  | { readonly kind: 'bytes'; readonly arrays: ByteArrays }
  | { readonly kind: 'scalars'; readonly scalars: ArrayLike<unknown> };

export interface Page {
  /** Entries of the page, nulls included. For columns without repetition an entry is a row. */
  readonly count: number;
  /** Per entry; equal to the column's `maxDefinition` where there is a value. Absent: every entry has one. */
  readonly definition: Uint8Array | undefined;
  /** Per entry; 0 begins a row. Absent: every entry is a row. */
  readonly repetition: Uint8Array | undefined;
  readonly values: PageValues;
}

export interface PageContext {
  readonly leaf: LeafColumn;
  readonly codec: CompressionCodec;
  readonly dictionary: PageValues | undefined;
  /** Rows of the row group, which no page without repetition exceeds. */
  readonly maxCount: number;
  /** What one page may decompress to, in bytes. */
  readonly maxBytes: number;
}

/** Decodes a data page from its bytes, header included. Throws `Corrupt`, `Unsupported` or `TooLarge`. */
export function readDataPage(bytes: Uint8Array, context: PageContext): Page {
  const { header, data } = split(bytes);
  const { leaf } = context;
  const count = pageValueCount(header);
  if (count === undefined) throw new Corrupt('a data page was expected where another page is');
  // An entry of a nested column takes at least a bit somewhere; this only stops absurd counts.
  const maxCount = leaf.maxRepetition > 0 ? 1 << 24 : context.maxCount;
  if (!(count >= 0 && count <= maxCount)) throw new Corrupt(`a page claims ${count} values`);
  refuseLarge(header.uncompressed_page_size, context.maxBytes);

  const v2 = header.data_page_header_v2;
  if (v2 !== undefined) {
    const { repetition_levels_byte_length: repetitionBytes, definition_levels_byte_length: definitionBytes } =
      v2;
    const levelBytes = repetitionBytes + definitionBytes;
    const valueBytes = header.uncompressed_page_size - levelBytes;
    if (!(repetitionBytes >= 0 && definitionBytes >= 0 && levelBytes <= data.length && valueBytes >= 0)) {
      throw new Corrupt('a page has levels of an impossible length');
    }
    const repetition = levels(data.subarray(0, repetitionBytes), leaf.maxRepetition, count);
    const definition = levels(data.subarray(repetitionBytes, levelBytes), leaf.maxDefinition, count);
    const stored = data.subarray(levelBytes);
    const values = v2.is_compressed === false ? stored : decompress(stored, valueBytes, context.codec);
    return assemble(values, v2.encoding, count, repetition, definition, context);
  }

  const unpacked = decompress(data, header.uncompressed_page_size, context.codec);
  const [repetition, afterRepetition] = prefixedLevels(unpacked, leaf.maxRepetition, count);
  const [definition, values] = prefixedLevels(afterRepetition, leaf.maxDefinition, count);
  return assemble(values, header.data_page_header?.encoding, count, repetition, definition, context);
}

/** Decodes a dictionary page from its bytes, header included. */
export function readDictionaryPage(
  bytes: Uint8Array,
  context: Pick<PageContext, 'leaf' | 'codec' | 'maxBytes'>,
): PageValues {
  const { header, data } = split(bytes);
  const count = header.dictionary_page_header?.num_values;
  if (count === undefined || !(count >= 0)) throw new Corrupt('the dictionary page has no readable header');
  refuseLarge(header.uncompressed_page_size, context.maxBytes);
  const values = decompress(data, header.uncompressed_page_size, context.codec);
  return context.leaf.element.type === 'BYTE_ARRAY'
    ? { kind: 'bytes', arrays: readPlainByteArrays(values, count) }
    : { kind: 'scalars', scalars: readScalars(values, 'PLAIN', count, undefined, context.leaf) };
}

function split(bytes: Uint8Array): {
  header: PageHeader;
  data: Uint8Array;
} {
  const read = readPageHeader(bytes, 0);
  if (read === undefined) throw new Corrupt('a page header has no end');
  const end = read.dataStart + read.header.compressed_page_size;
  if (end > bytes.length) throw new Corrupt('a page is longer than the index says');
  return { header: read.header, data: bytes.subarray(read.dataStart, end) };
}

function assemble(
  bytes: Uint8Array,
  encoding: Encoding | undefined,
  count: number,
  repetition: Uint8Array | undefined,
  definition: Uint8Array | undefined,
  context: PageContext,
): Page {
  const { leaf, dictionary } = context;
  let present = count;
  if (definition !== undefined) {
    present = 0;
    for (const level of definition) if (level === leaf.maxDefinition) present++;
  }
  const values: PageValues =
    leaf.element.type === 'BYTE_ARRAY'
      ? {
          kind: 'bytes',
          arrays: readByteArrays(
            bytes,
            encoding,
            present,
            dictionary?.kind === 'bytes' ? dictionary.arrays : undefined,
            context.maxBytes,
          ),
        }
      : {
          kind: 'scalars',
          scalars: readScalars(
            bytes,
            encoding,
            present,
            dictionary?.kind === 'scalars' ? dictionary.scalars : undefined,
            leaf,
          ),
        };
  return { count, definition: present === count ? undefined : definition, repetition, values };
}

/** V1: levels come first in the data, after their length as 4 bytes. */
function prefixedLevels(
  bytes: Uint8Array,
  max: number,
  count: number,
): [levels: Uint8Array | undefined, rest: Uint8Array] {
  if (max === 0) return [undefined, bytes];
  if (bytes.length < 4) throw new Corrupt('a page is too short for its levels');
  const end = 4 + new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  if (end > bytes.length) throw new Corrupt('the levels of a page reach past its end');
  return [levels(bytes.subarray(4, end), max, count), bytes.subarray(end)];
}

function levels(bytes: Uint8Array, max: number, count: number): Uint8Array | undefined {
  if (max === 0) return undefined;
  const output = new Uint8Array(count);
  readRleHybrid(bytes, bitWidthOf(max), output);
  return output;
}

function readScalars(
  bytes: Uint8Array,
  encoding: Encoding | undefined,
  count: number,
  dictionary: ArrayLike<unknown> | undefined,
  leaf: LeafColumn,
): ArrayLike<unknown> {
  const { type, type_length: typeLength } = leaf.element;
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  if (type === undefined) throw new Corrupt('the column has no type');
  if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY') {
    if (dictionary === undefined) throw new Corrupt('a page refers to a dictionary that is not there');
    return Array.from(readDictionaryIndices(bytes, count), (index) => dictionary[index]);
  }
  if (encoding === 'RLE' && type === 'BOOLEAN') {
    const bits = new Uint8Array(count);
    readRleHybrid(bytes.subarray(4), 1, bits);
    return Array.from(bits, (bit) => bit === 1);
  }
  if (encoding === 'DELTA_BINARY_PACKED' && type === 'INT32') return readDelta32(reader, count);
  if (encoding === 'DELTA_BINARY_PACKED' && type === 'INT64') return readDelta64(reader, count);
  if (count * bitsOf(leaf) > bytes.length * 8)
    throw new Corrupt(`a page is too short for its ${count} values`);
  if (encoding === 'PLAIN') return readPlain(reader, type, count, typeLength);
  if (encoding === 'BYTE_STREAM_SPLIT') return byteStreamSplit(reader, count, type, typeLength);
  throw new Unsupported(`the encoding ${String(encoding)} is not supported`);
}

const BITS: Readonly<Partial<Record<ParquetType, number>>> = {
  BOOLEAN: 1,
  INT32: 32,
  FLOAT: 32,
  INT64: 64,
  DOUBLE: 64,
  INT96: 96,
};

function bitsOf({ element: { type, type_length: bytes } }: LeafColumn): number {
  return (type === undefined ? undefined : BITS[type]) ?? (bytes ?? 0) * 8;
}

function refuseLarge(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new TooLarge(`a page of it unpacks to ${bytes} bytes, more than ${maxBytes}`);
}
