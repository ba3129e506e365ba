/**
 * The RLE / bit-packing hybrid that Parquet uses for levels and dictionary indices.
 * Of our own since hyparquet's lets a run write past the values that were asked for, which a corrupt file abuses.
 * Format: https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE
 */
import { Corrupt } from '../formatErrors.ts';

/** Fills `output` from `bytes`. Throws `Corrupt` when they end first. */
export function readRleHybrid(bytes: Uint8Array, bitWidth: number, output: Uint8Array | Uint32Array): void {
  if (bitWidth > 32) throw new Corrupt(`it has values of ${bitWidth} bits`);
  if (bitWidth === 0) return;
  let at = 0;
  let filled = 0;
  const byteAt = (index: number): number => {
    const byte = bytes[index];
    if (byte === undefined) throw new Corrupt(`a run ends after ${filled} of ${output.length} values`);
    return byte;
  };

  while (filled < output.length) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift > 28) throw new Corrupt('a run has an impossible length');
      const byte = byteAt(at++);
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    const isPacked = header % 2 === 1;
    const count = Math.floor(header / 2);
    if (count === 0) continue;
    if (isPacked) {
      const wanted = Math.min(count * 8, output.length - filled);
      let bits = at * 8;
      for (let i = 0; i < wanted; i++, bits += bitWidth) output[filled++] = readBits(byteAt, bits, bitWidth);
      at += count * bitWidth;
    } else {
      let value = 0;
      for (let i = 0; i < Math.ceil(bitWidth / 8); i++) value += byteAt(at++) * 2 ** (8 * i);
      const end = Math.min(filled + count, output.length);
      output.fill(value, filled, end);
      filled = end;
    }
  }
}

/** Bits to hold every value from 0 to `max`. */
export function bitWidthOf(max: number): number {
  return 32 - Math.clz32(max);
}

function readBits(byteAt: (index: number) => number, bitOffset: number, bitWidth: number): number {
  let value = 0;
  let taken = 0;
  let index = bitOffset >>> 3;
  let skip = bitOffset & 7;
  while (taken < bitWidth) {
    const take = Math.min(8 - skip, bitWidth - taken);
    value += ((byteAt(index++) >>> skip) & ((1 << take) - 1)) * 2 ** taken;
    taken += take;
    skip = 0;
  }
  return value;
}
