/** Bitmaps, as Arrow keeps which rows are there and which are true: eight rows in a byte, the first in its lowest bit. */

export function isSet(bits: Uint8Array, index: number): boolean {
  return (((bits[index >>> 3] ?? 0) >>> (index & 7)) & 1) === 1;
}
