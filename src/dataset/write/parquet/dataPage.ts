/** Writes one data page (version 2): levels, then the values one after the other, compressed where that helps. */
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import type { LeafColumn } from '../../parquet/footer.ts';
import { bitWidthOf } from '../../parquet/rleHybrid.ts';
import type { Compressor } from './compress.ts';

/** What a page is made of; `definition` and `repetition` are empty for leaves that have no such levels. */
export interface PageContent {
  readonly rows: number;
  readonly nulls: number;
  readonly definition: number[];
  readonly repetition: number[];
  readonly values: unknown[];
}

export interface WrittenPage {
  readonly bytes: Uint8Array;
  /** Header and data before compression. */
  readonly uncompressedBytes: number;
}

export function writeDataPage(leaf: LeafColumn, content: PageContent, compress: Compressor): WrittenPage {
  const { element, maxDefinition, maxRepetition } = leaf;
  const { rows, nulls, definition, repetition, values } = content;
  const levels = new ByteWriter();
  if (maxRepetition > 0) writeRleBitPackedHybrid(levels, repetition, bitWidthOf(maxRepetition));
  const repetitionBytes = levels.offset;
  if (maxDefinition > 0) writeRleBitPackedHybrid(levels, definition, bitWidthOf(maxDefinition));
  const plain = new ByteWriter();
  if (element.type === undefined) throw new TypeError(`${leaf.path.join('.')} is no leaf`);
  if (element.type === 'INT96') writeInt96(plain, values);
  else writePlain(plain, values, element.type, element.type_length);
  const raw = plain.getBytes();
  const packed = compress(raw);
  const isSmaller = packed !== undefined && packed.length < raw.length;
  const data = isSmaller ? packed : raw;
  const out = new ByteWriter();
  writePageHeader(out, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.offset + raw.length,
    compressed_page_size: levels.offset + data.length,
    data_page_header_v2: {
      num_values: values.length + nulls,
      num_nulls: nulls,
      num_rows: rows,
      encoding: 'PLAIN',
      definition_levels_byte_length: levels.offset - repetitionBytes,
      repetition_levels_byte_length: repetitionBytes,
      is_compressed: isSmaller,
    },
  });
  const uncompressedBytes = out.offset + levels.offset + raw.length;
  out.appendBytes(levels.getBytes());
  out.appendBytes(data);
  return { bytes: out.getBytes(), uncompressedBytes };
}

/** The timestamps of old Spark and Impala: nanoseconds of the day, then the Julian day. */
function writeInt96(writer: ByteWriter, values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value !== 'bigint') throw new TypeError('an INT96 value is no integer');
    writer.appendInt64(BigInt.asIntN(64, value));
    writer.appendInt32(Number(value >> 64n));
  }
}
