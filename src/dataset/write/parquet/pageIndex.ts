/**
 * The page index of one column chunk: where its pages are, and between which values each of them lies.
 * hyparquet-writer writes one only for chunks of several pages; here every chunk has one.
 * Format: https://parquet.apache.org/docs/file-format/pageindex/
 */
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';
import type { Bounds } from './bounds.ts';

export interface IndexedPage {
  readonly offset: number;
  readonly length: number;
  /** Row of the row group that it begins with. */
  readonly firstRow: number;
  readonly nulls: number;
  /** Whether there is no value in it. */
  readonly isNull: boolean;
  readonly bounds: Bounds | undefined;
}

export function offsetIndexBytes(pages: readonly IndexedPage[]): Uint8Array {
  return serialized({
    field_1: pages.map(({ offset, length, firstRow }) => ({
      field_1: BigInt(offset),
      field_2: length,
      field_3: BigInt(firstRow),
    })),
  });
}

/** The column index, or `undefined` when a page with values has no bounds. */
export function columnIndexBytes(pages: readonly IndexedPage[]): Uint8Array | undefined {
  if (pages.some(({ isNull, bounds }) => !isNull && bounds === undefined)) return undefined;
  const none = new Uint8Array(0);
  return serialized({
    field_1: pages.map(({ isNull }) => isNull),
    field_2: pages.map(({ bounds }) => bounds?.min ?? none),
    field_3: pages.map(({ bounds }) => bounds?.max ?? none),
    // Pages are not sorted by value.
    field_4: 0,
    field_5: pages.map(({ nulls }) => BigInt(nulls)),
  });
}

function serialized(struct: Parameters<typeof serializeTCompactProtocol>[1]): Uint8Array {
  const writer = new ByteWriter();
  serializeTCompactProtocol(writer, struct);
  return writer.getBytes();
}
