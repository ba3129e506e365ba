/**
 * Decodes pages of BYTE_ARRAY values into views: one run of bytes, and where each value starts and ends.
 * No value is copied and no object is made per value, so that a page of a hundred thousand paths stays cheap.
 * Encodings: https://parquet.apache.org/docs/file-format/data-pages/encodings/
 */
import type { DataReader, Encoding } from 'hyparquet';
import { Corrupt, TooLarge, Unsupported } from '../formatErrors.ts';
import { readDelta32 } from './deltaPacked.ts';
import { readRleHybrid } from './rleHybrid.ts';

export interface ByteArrays {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Decodes `count` values. `maxBytes` bounds what prefix-compressed values may expand to. */
export function readByteArrays(
  bytes: Uint8Array,
  encoding: Encoding | undefined,
  count: number,
  dictionary: ByteArrays | undefined,
  maxBytes: number,
): ByteArrays {
  if (encoding === 'PLAIN') return readPlainByteArrays(bytes, count);
  if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY') {
    if (dictionary === undefined) throw new Corrupt('a page refers to a dictionary that is not there');
    return lookUp(dictionary, readDictionaryIndices(bytes, count));
  }
  if (encoding === 'DELTA_LENGTH_BYTE_ARRAY') return readDeltaLength(bytes, count);
  if (encoding === 'DELTA_BYTE_ARRAY') return readDeltaPrefix(bytes, count, maxBytes);
  throw new Unsupported(`the encoding ${String(encoding)} is not supported for binary columns`);
}

/** Values one after the other, each after its length as 4 bytes. */
export function readPlainByteArrays(bytes: Uint8Array, count: number): ByteArrays {
  if (count * 4 > bytes.length) throw new Corrupt(`a page is too short for its ${count} values`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 4 > bytes.length) throw new Corrupt(`a page ends after ${i} of ${count} values`);
    const start = at + 4;
    at = start + view.getUint32(at, true);
    if (at > bytes.length) throw new Corrupt(`value ${i} of a page reaches past the page's end`);
    starts[i] = start;
    ends[i] = at;
  }
  return { bytes, starts, ends };
}

/** The indices of a dictionary-encoded page: one byte with their width, then the hybrid. */
export function readDictionaryIndices(bytes: Uint8Array, count: number): Uint32Array {
  const indices = new Uint32Array(count);
  if (count > 0) readRleHybrid(bytes.subarray(1), bytes[0] ?? 0, indices);
  return indices;
}

function lookUp(dictionary: ByteArrays, indices: Uint32Array): ByteArrays {
  const starts = new Uint32Array(indices.length);
  const ends = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] ?? 0;
    const start = dictionary.starts[index];
    const end = dictionary.ends[index];
    if (start === undefined || end === undefined) {
      throw new Corrupt(`a page refers to entry ${index} of a dictionary of ${dictionary.starts.length}`);
    }
    starts[i] = start;
    ends[i] = end;
  }
  return { bytes: dictionary.bytes, starts, ends };
}

function readDeltaLength(bytes: Uint8Array, count: number): ByteArrays {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const lengths = readLengths(reader, count);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let at = reader.offset;
  for (let i = 0; i < count; i++) {
    starts[i] = at;
    at += lengths[i] ?? 0;
    if (at > bytes.length) throw new Corrupt(`value ${i} of a page reaches past the page's end`);
    ends[i] = at;
  }
  return { bytes, starts, ends };
}

/** Each value is a prefix of the one before it and a suffix of its own. */
function readDeltaPrefix(bytes: Uint8Array, count: number, maxBytes: number): ByteArrays {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const prefixes = readLengths(reader, count);
  const suffixes = readLengths(reader, count);
  let total = 0;
  for (let i = 0; i < count; i++) total += (prefixes[i] ?? 0) + (suffixes[i] ?? 0);
  if (total > maxBytes) throw new TooLarge(`a page expands to ${total} bytes`);
  const values = new Uint8Array(total);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let source = reader.offset;
  let at = 0;
  for (let i = 0; i < count; i++) {
    const prefix = prefixes[i] ?? 0;
    const suffix = suffixes[i] ?? 0;
    const previous = i === 0 ? 0 : (starts[i - 1] ?? 0);
    if (prefix > at - previous || source + suffix > bytes.length) {
      throw new Corrupt(`value ${i} of a page reaches past the page's end`);
    }
    starts[i] = at;
    values.copyWithin(at, previous, previous + prefix);
    values.set(bytes.subarray(source, source + suffix), at + prefix);
    source += suffix;
    at += prefix + suffix;
    ends[i] = at;
  }
  return { bytes: values, starts, ends };
}

function readLengths(reader: DataReader, count: number): Int32Array {
  const lengths = readDelta32(reader, count);
  if (lengths.some((length) => length < 0)) throw new Corrupt('a value of a page has a negative length');
  return lengths;
}
