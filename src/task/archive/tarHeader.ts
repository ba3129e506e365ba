/**
 * Reads tar headers as bytes. A reader of our own, since tar-stream 3 decodes the paths of pax headers as lossy UTF-8
 * and takes an archive that was cut between two members for a whole one.
 * Format: POSIX.1-2017, "pax Interchange Format" and "ustar Interchange Format"; GNU tar manual, "Basic Tar Format".
 */

export const TAR_BLOCK = 512;

export interface TarHeader {
  /** Name as bytes: prefix and name of a ustar header, or the name alone. */
  readonly name: Uint8Array;
  readonly mode: number;
  /** Bytes of data that follow, before padding. */
  readonly size: number;
  /** One character, `0` for old archives that leave it out. */
  readonly type: string;
}

/** A block read as a header: `end` is a block of zeros, `invalid` says what is wrong with it. */
export type TarBlock =
  | { readonly kind: 'header'; readonly header: TarHeader }
  | { readonly kind: 'end' }
  | { readonly kind: 'invalid'; readonly because: string };

export function readTarBlock(block: Uint8Array): TarBlock {
  if (block.every((byte) => byte === 0)) return { kind: 'end' };
  if (!checksumMatches(block)) return { kind: 'invalid', because: 'the checksum of a header is wrong' };
  const size = numberField(block.subarray(124, 136));
  if (size === undefined) return { kind: 'invalid', because: 'a header has no readable size' };
  const type = block[156] === 0 ? '0' : String.fromCharCode(block[156] ?? 0);
  const name = untilNul(block.subarray(0, 100));
  const prefix = isPosix(block) ? untilNul(block.subarray(345, 500)) : new Uint8Array(0);
  const mode = (numberField(block.subarray(100, 108)) ?? 0o644) & 0o777;
  return {
    kind: 'header',
    header: { name: prefix.length > 0 ? Buffer.concat([prefix, SLASH, name]) : name, mode, size, type },
  };
}

/** The records of a pax extended header, values as bytes; `undefined` when it is malformed. */
export function readPaxRecords(data: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  const records = new Map<string, Uint8Array>();
  for (let at = 0; at < data.length;) {
    const space = data.indexOf(0x20, at);
    const digits = space < 0 ? '' : latin1(data.subarray(at, space));
    if (!/^[0-9]{1,9}$/.test(digits)) return undefined;
    const end = at + Number(digits);
    const equals = data.indexOf(0x3d, space);
    if (end > data.length || data[end - 1] !== 0x0a || equals < 0 || equals >= end) return undefined;
    records.set(latin1(data.subarray(space + 1, equals)), data.subarray(equals + 1, end - 1));
    at = end;
  }
  return records;
}

/** A GNU long name: the bytes before the first NUL. */
export function untilNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

const SLASH = Uint8Array.of(0x2f);

function isPosix(block: Uint8Array): boolean {
  return latin1(block.subarray(257, 263)) === 'ustar\0';
}

/** The sum of all bytes, the checksum's own taken as spaces; old writers summed signed bytes. */
function checksumMatches(block: Uint8Array): boolean {
  const stated = numberField(block.subarray(148, 156));
  let unsigned = 0;
  let signed = 0;
  block.forEach((byte, index) => {
    const value = index >= 148 && index < 156 ? 0x20 : byte;
    unsigned += value;
    signed += value < 0x80 ? value : value - 0x100;
  });
  return stated === unsigned || stated === signed;
}

/** Octal digits between spaces and NULs, or GNU's base 256 (high bit set); `undefined` when it is neither. */
function numberField(field: Uint8Array): number | undefined {
  const first = field[0] ?? 0;
  if ((first & 0x80) !== 0) {
    if (first !== 0x80) return undefined;
    const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const text = /^[ \0]*([0-7]*)(?:[ \0].*)?$/s.exec(latin1(field))?.[1];
  return text === undefined ? undefined : Number.parseInt(text === '' ? '0' : text, 8);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
