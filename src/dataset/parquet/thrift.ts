/**
 * Measures a Thrift struct (compact protocol) without decoding it, so that hyparquet's decoder, which trusts
 * sizes, only ever sees structs whose lists, strings and numbers fit in the bytes that are there.
 * Protocol: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
import { Corrupt } from '../formatErrors.ts';

const MAX_DEPTH = 24;
/** hyparquet makes an array for every list; one element takes at least one byte, and memory for about eight. */
const MAX_LIST = 1 << 24;

/**
 * Where the struct that begins at `start` ends, or `undefined` when `bytes` ends before it does.
 * Throws `Corrupt` for bytes that no struct can hold.
 */
export function thriftEnd(bytes: Uint8Array, start: number): number | undefined {
  const cursor: Cursor = { bytes, at: start };
  try {
    skipStruct(cursor, 0);
  } catch (error) {
    if (error === ENDED) return undefined;
    throw error;
  }
  return cursor.at;
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

const ENDED = new Error('the bytes end within the struct');

function skipStruct(cursor: Cursor, depth: number): void {
  if (depth > MAX_DEPTH) throw new Corrupt('its metadata is nested too deeply');
  for (;;) {
    const byte = next(cursor);
    const type = byte & 0x0f;
    if (type === 0) return;
    if (byte >> 4 === 0) skipVarint(cursor);
    skipValue(cursor, type, depth);
  }
}

function skipValue(cursor: Cursor, type: number, depth: number): void {
  switch (type) {
    case 1: // true
    case 2: // false
      return;
    case 3: // byte
      return advance(cursor, 1);
    case 4: // i16
    case 5: // i32
    case 6: // i64
      return skipVarint(cursor);
    case 7: // double
      return advance(cursor, 8);
    case 8: // binary
      return advance(cursor, readVarint(cursor));
    case 9: // list
      return skipList(cursor, depth);
    case 12:
      return skipStruct(cursor, depth + 1);
    default:
      throw new Corrupt(`its metadata holds a field of the unknown type ${type}`);
  }
}

function skipList(cursor: Cursor, depth: number): void {
  const byte = next(cursor);
  const type = byte & 0x0f;
  const length = byte >> 4 === 15 ? readVarint(cursor) : byte >> 4;
  if (length > MAX_LIST) throw new Corrupt(`its metadata holds a list of ${length} elements`);
  // Every element takes at least one byte: a list that does not fit is not walked.
  if (length > cursor.bytes.length - cursor.at) throw ENDED;
  if (depth > MAX_DEPTH) throw new Corrupt('its metadata is nested too deeply');
  for (let i = 0; i < length; i++) {
    if (type === 1 || type === 2) advance(cursor, 1);
    else skipValue(cursor, type, depth + 1);
  }
}

function next(cursor: Cursor): number {
  const byte = cursor.bytes[cursor.at];
  if (byte === undefined) throw ENDED;
  cursor.at++;
  return byte;
}

function advance(cursor: Cursor, length: number): void {
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) throw ENDED;
}

function skipVarint(cursor: Cursor): void {
  for (let i = 0; i < 10; i++) if (next(cursor) < 0x80) return;
  throw new Corrupt('its metadata holds a number of more than 10 bytes');
}

function readVarint(cursor: Cursor): number {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = next(cursor);
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) {
      if (value > 0x7fffffff) break;
      return value;
    }
  }
  throw new Corrupt('its metadata holds a length of more than 2 GiB');
}
