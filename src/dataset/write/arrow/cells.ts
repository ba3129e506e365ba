/** Cells of a text or binary column as bytes, and a column of such cells. */
import { DataType } from 'apache-arrow';
import type { Data } from 'apache-arrow';
import { isView } from '../../arrow/byteTypes.ts';
import { columnData, isValid, validityOf } from './columnData.ts';
import { viewAt, viewsOf } from './views.ts';

export type Cell = Uint8Array | null;

/** All cells of `data`, a column of any type that holds bytes; views, not copies. */
export function cellsOf(data: Data): Cell[] {
  return Array.from({ length: data.length }, (_, row) => cellAt(data, row));
}

/** One cell; `null` where it is null. */
export function cellAt(data: Data, row: number): Cell {
  if (!isValid(data, row)) return null;
  const { type } = data;
  if (DataType.isDictionary(type)) {
    const entry = dictionaryEntry(data, row);
    return cellAt(entry.data, entry.row);
  }
  const values: Uint8Array = data.values;
  if (isView(type)) {
    return viewAt(values, data.variadicBuffers, row);
  }
  const offsets = data.valueOffsets as ArrayLike<number | bigint>;
  return values.subarray(Number(offsets[row]), Number(offsets[row + 1]));
}

/** Where the dictionary of `data`, a column with one, has the value of `row`, which is not null. */
export function dictionaryEntry(data: Data, row: number): { data: Data; row: number } {
  let key = Number((data.values as ArrayLike<number | bigint>)[row]);
  for (const part of data.dictionary?.data ?? []) {
    if (key < part.length) return { data: part, row: key };
    key -= part.length;
  }
  throw new RangeError(`row ${row} refers to a missing dictionary entry`);
}

/** A column of `cells` of the given text or binary type. */
export function binaryData(type: DataType, cells: readonly Cell[]): Data {
  const validity = validityOf(cells.map((cell) => cell !== null));
  if (isView(type)) {
    return columnData(type, cells.length, { validity, ...viewsOf(cells) });
  }
  const ends = [0];
  for (const cell of cells) ends.push((ends.at(-1) ?? 0) + (cell?.length ?? 0));
  const isLarge = DataType.isLargeBinary(type) || DataType.isLargeUtf8(type);
  if (!isLarge && (ends.at(-1) ?? 0) > 0x7fffffff) {
    throw new RangeError('cells of one batch have more than 2 GiB together');
  }
  const offsets = isLarge ? BigInt64Array.from(ends, BigInt) : Int32Array.from(ends);
  const values = Buffer.concat(cells.flatMap((cell) => cell ?? []));
  return columnData(type, cells.length, { validity, offsets, values });
}
