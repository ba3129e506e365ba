/**
 * Values of the view types: 16 bytes each, which hold a short value themselves, or say where a long one is.
 * Format: https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
 */

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

export interface GatheredViews {
  readonly values: Uint8Array;
  readonly variadic: Uint8Array[];
}

/** The same values with their long ones in one buffer of their own; `read` gives a part of one of the old buffers. */
export async function gatherViews(
  views: Uint8Array,
  read: (buffer: number, offset: number, length: number) => Promise<Uint8Array>,
): Promise<GatheredViews> {
  const values = new Uint8Array(views);
  const view = new DataView(values.buffer);
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (let row = 0; row < values.length; row += VIEW_BYTES) {
    const length = view.getInt32(row, true);
    if (length <= INLINE_BYTES) continue;
    pieces.push(await read(view.getInt32(row + 8, true), view.getInt32(row + 12, true), length));
    view.setInt32(row + 8, 0, true);
    view.setInt32(row + 12, at, true);
    at += length;
  }
  return { values, variadic: pieces.length === 0 ? [] : [Buffer.concat(pieces)] };
}

/** Views of `cells`; null cells become empty views, which the validity bitmap hides. */
export function viewsOf(cells: readonly (Uint8Array | null)[]): GatheredViews {
  const values = new Uint8Array(cells.length * VIEW_BYTES);
  const view = new DataView(values.buffer);
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const [index, cell] of cells.entries()) {
    if (cell === null) continue;
    const row = index * VIEW_BYTES;
    view.setInt32(row, cell.length, true);
    values.set(cell.subarray(0, cell.length <= INLINE_BYTES ? cell.length : 4), row + 4);
    if (cell.length <= INLINE_BYTES) continue;
    view.setInt32(row + 12, at, true);
    pieces.push(cell);
    at += cell.length;
  }
  return { values, variadic: pieces.length === 0 ? [] : [Buffer.concat(pieces)] };
}

/** The value of one view. */
export function viewAt(values: Uint8Array, variadic: readonly Uint8Array[], index: number): Uint8Array {
  const row = index * VIEW_BYTES;
  const view = new DataView(values.buffer, values.byteOffset + row, VIEW_BYTES);
  const length = view.getInt32(0, true);
  if (length <= INLINE_BYTES) return values.subarray(row + 4, row + 4 + length);
  const buffer = variadic[view.getInt32(8, true)] ?? new Uint8Array(0);
  const start = view.getInt32(12, true);
  return buffer.subarray(start, start + length);
}
