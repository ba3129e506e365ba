/**
 * Streams Parquet files that look like pyarrow's defaults: one row group, V1 data pages of about 1 MiB, snappy, a
 * dictionary page that is given up once it has 1 MiB, and no page index. hyparquet-writer holds a row group in memory.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';

const PAGE_BYTES = 1024 * 1024;
const ENCODING = { PLAIN: 0, RLE: 3, RLE_DICTIONARY: 8 };
const PAGE = { DATA_PAGE: 0, DICTIONARY_PAGE: 2 };

/** A column of binary values, none of them null; called once for every row, in order. */
export interface BinaryColumn {
  readonly name: string;
  readonly isText: boolean;
  valueAt(row: number): Uint8Array;
}

/** hyparquet-writer brings its own version of hyparquet's types. */
type Chunk = Parameters<typeof writeMetadata>[1]['row_groups'][number]['columns'][number];

/** Writes `rows` rows into one row group. */
export function writeLikePyarrow(location: string, rows: number, columns: readonly BinaryColumn[]): void {
  const file = openSync(location, 'w');
  try {
    const out = new Output(file);
    out.write(Buffer.from('PAR1'));
    const chunks = columns.map((column) => writeColumn(out, column, rows));
    const footer = new ByteWriter();
    writeMetadata(footer, {
      version: 2,
      created_by: 'parquet-cpp-arrow version 20.0.0',
      metadata_length: 0,
      num_rows: BigInt(rows),
      schema: [
        { name: 'schema', num_children: columns.length, repetition_type: 'REQUIRED' },
        ...columns.map(({ name, isText }) => ({
          name,
          type: 'BYTE_ARRAY' as const,
          repetition_type: 'OPTIONAL' as const,
          ...(isText ? { converted_type: 'UTF8' as const } : {}),
        })),
      ],
      row_groups: [{ columns: chunks, num_rows: BigInt(rows), total_byte_size: BigInt(out.position) }],
    });
    // writeMetadata ends with the footer's length; only the magic is missing.
    out.write(footer.getBytes());
    out.write(Buffer.from('PAR1'));
  } finally {
    closeSync(file);
  }
}

function writeColumn(out: Output, column: BinaryColumn, rows: number): Chunk {
  const start = out.position;
  const dictionary = new Map<string, number>();
  const dictionaryValues: Uint8Array[] = [];
  const indices: number[] = [];
  let dictionaryBytes = 0;
  let row = 0;
  let overflow: Uint8Array | undefined;
  for (; row < rows; row++) {
    const value = column.valueAt(row);
    const key = Buffer.from(value).toString('latin1');
    let index = dictionary.get(key);
    if (index === undefined) {
      if (dictionaryBytes + value.length + 4 > PAGE_BYTES) {
        overflow = value;
        break;
      }
      index = dictionaryValues.length;
      dictionary.set(key, index);
      dictionaryValues.push(value);
      dictionaryBytes += value.length + 4;
    }
    indices.push(index);
  }
  writePage(out, PAGE.DICTIONARY_PAGE, dictionaryValues.length, ENCODING.PLAIN, plain(dictionaryValues));
  const dataStart = out.position;
  const perPage = 128 * 1024;
  for (let at = 0; at < indices.length; at += perPage) {
    const part = indices.slice(at, at + perPage);
    writePage(out, PAGE.DATA_PAGE, part.length, ENCODING.RLE_DICTIONARY, [
      present(part.length),
      packed(part, dictionaryValues.length),
    ]);
  }
  let page: Uint8Array[] = [];
  let pageBytes = 0;
  for (; row < rows; row++) {
    const value: Uint8Array = overflow ?? column.valueAt(row);
    overflow = undefined;
    page.push(value);
    pageBytes += value.length + 4;
    if (pageBytes >= PAGE_BYTES || row === rows - 1) {
      writePage(out, PAGE.DATA_PAGE, page.length, ENCODING.PLAIN, [present(page.length), ...plain(page)]);
      page = [];
      pageBytes = 0;
    }
  }
  return {
    file_offset: 0n,
    meta_data: {
      type: 'BYTE_ARRAY',
      encodings: ['PLAIN', 'RLE', 'RLE_DICTIONARY'],
      path_in_schema: [column.name],
      codec: 'SNAPPY',
      num_values: BigInt(rows),
      total_uncompressed_size: BigInt(out.position - start),
      total_compressed_size: BigInt(out.position - start),
      data_page_offset: BigInt(dataStart),
      dictionary_page_offset: BigInt(start),
    },
  };
}

function writePage(
  out: Output,
  type: number,
  count: number,
  encoding: number,
  parts: readonly Uint8Array[],
): void {
  const bytes = Buffer.concat(parts);
  const compressed = snappyCompress(bytes);
  const header = new ByteWriter();
  const facts = { field_1: count, field_2: encoding };
  serializeTCompactProtocol(header, {
    field_1: type,
    field_2: bytes.length,
    field_3: compressed.length,
    ...(type === PAGE.DATA_PAGE
      ? { field_5: { ...facts, field_3: ENCODING.RLE, field_4: ENCODING.RLE } }
      : { field_7: facts }),
  });
  out.write(header.getBytes());
  out.write(compressed);
}

/** Definition levels of a page without nulls: their length, and one run of ones. */
function present(count: number): Uint8Array {
  const run = Buffer.concat([varint(count * 2), Uint8Array.of(1)]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(run.length);
  return Buffer.concat([length, run]);
}

function plain(values: readonly Uint8Array[]): Uint8Array[] {
  return values.flatMap((value) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(value.length);
    return [length, value];
  });
}

/** Indices in one bit-packed run, behind the byte that tells their width. */
function packed(indices: readonly number[], entries: number): Uint8Array {
  const width = Math.max(1, 32 - Math.clz32(Math.max(0, entries - 1)));
  const groups = Math.ceil(indices.length / 8);
  const bits = Buffer.alloc(groups * width);
  indices.forEach((index, position) => {
    for (let bit = 0; bit < width; bit++) {
      const at = position * width + bit;
      if ((index >>> bit) & 1) bits[at >>> 3] = (bits[at >>> 3] ?? 0) | (1 << (at & 7));
    }
  });
  return Buffer.concat([Uint8Array.of(width), varint(groups * 2 + 1), bits]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 0x80);
  return Uint8Array.from([...bytes, rest]);
}

class Output {
  position = 0;
  readonly #file: number;

  constructor(file: number) {
    this.#file = file;
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
    this.position += bytes.length;
  }
}
