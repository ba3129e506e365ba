/**
 * Decompresses LZ4 frames, which is what Arrow means by LZ4 and Feather files use by default. hyparquet-compressors
 * knows single blocks only; the blocks of a frame refer back to the ones before them.
 * Formats: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md and lz4_Block_format.md
 */
import { Corrupt } from '../formatErrors.ts';

const MAGIC = 0x184d2204;
const STORED = 0x80000000;

/** The `length` bytes that a frame holds. Checksums are passed over. Throws `Corrupt`. */
export function decompressLz4Frame(input: Buffer, length: number): Uint8Array {
  const output = new Uint8Array(length);
  try {
    if (input.readUInt32LE(0) !== MAGIC) throw new Corrupt('a buffer is not an LZ4 frame');
    const flags = input.readUInt8(4);
    const hasContentSize = (flags & 0x08) !== 0;
    const hasDictionaryId = (flags & 0x01) !== 0;
    const blockChecksum = (flags & 0x10) !== 0 ? 4 : 0;
    let at = 7 + (hasContentSize ? 8 : 0) + (hasDictionaryId ? 4 : 0);
    let filled = 0;
    for (;;) {
      const word = input.readUInt32LE(at);
      at += 4;
      if (word === 0) break;
      const size = word % STORED;
      if (at + size > input.length) throw new Corrupt('an LZ4 block is cut off');
      const block = input.subarray(at, at + size);
      if (word >= STORED) {
        if (filled + size > length) throw tooLong(length);
        output.set(block, filled);
        filled += size;
      } else {
        filled = readBlock(block, output, filled);
      }
      at += size + blockChecksum;
    }
    if (filled !== length) throw new Corrupt(`an LZ4 frame holds ${filled} bytes, not ${length}`);
    return output;
  } catch (error) {
    if (error instanceof RangeError) throw new Corrupt('an LZ4 frame is cut off', { cause: error });
    throw error;
  }
}

/** Appends one block to `output` at `filled`; returns where it ends. */
function readBlock(block: Uint8Array, output: Uint8Array, filled: number): number {
  let at = 0;
  let end = filled;
  const next = (): number => {
    const byte = block[at++];
    if (byte === undefined) throw new Corrupt('an LZ4 block is cut off');
    return byte;
  };
  const extendedLength = (nibble: number): number => {
    let length = nibble;
    if (nibble === 15) {
      let byte: number;
      do {
        byte = next();
        length += byte;
      } while (byte === 255);
    }
    return length;
  };
  while (at < block.length) {
    const token = next();
    const literals = extendedLength(token >> 4);
    if (at + literals > block.length) throw new Corrupt('an LZ4 block is cut off');
    if (end + literals > output.length) throw tooLong(output.length);
    output.set(block.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    if (at === block.length) break;
    const offset = next() + next() * 256;
    const match = extendedLength(token & 15) + 4;
    if (offset === 0 || offset > end) throw new Corrupt('an LZ4 block refers to bytes before its start');
    if (end + match > output.length) throw tooLong(output.length);
    // Matches may overlap what they write, so they are copied byte by byte.
    for (let i = 0; i < match; i++, end++) output[end] = output[end - offset] ?? 0;
  }
  return end;
}

function tooLong(length: number): Corrupt {
  return new Corrupt(`an LZ4 frame holds more than ${length} bytes`);
}
