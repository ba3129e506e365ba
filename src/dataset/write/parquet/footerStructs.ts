/**
 * The Thrift structs at the end of a Parquet file. hyparquet-writer's own would lose what it has no words for and
 * writes one-byte numbers as four-byte ones, which strict readers refuse.
 * Format: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 */
import type { CompressionCodec, KeyValue, LogicalType, SchemaElement, TimeUnit } from 'hyparquet';
import {
  CompressionCodecs,
  ConvertedTypes,
  EdgeInterpolationAlgorithms,
  Encodings,
  FieldRepetitionTypes,
  ParquetTypes,
} from 'hyparquet/src/constants.js';
import { ThriftStruct, type serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';
import type { LeafColumn } from '../../parquet/footer.ts';
import type { Bounds } from './bounds.ts';

/** What the footer says about one leaf of one row group. */
export interface WrittenChunk {
  readonly leaf: LeafColumn;
  readonly codec: CompressionCodec;
  readonly offset: number;
  readonly bytes: number;
  readonly uncompressedBytes: number;
  readonly entries: number;
  readonly nulls: number;
  readonly bounds: Bounds | undefined;
  /** Where the page index of this chunk is; the column index only where the column has bounds. */
  readonly offsetIndex: { readonly offset: number; readonly length: number };
  readonly columnIndex: { readonly offset: number; readonly length: number } | undefined;
}

export interface WrittenGroup {
  readonly rows: number;
  readonly chunks: readonly WrittenChunk[];
}

export function fileMetadata(
  schema: readonly SchemaElement[],
  groups: readonly WrittenGroup[],
  keyValues: readonly KeyValue[],
): Parameters<typeof serializeTCompactProtocol>[1] {
  const rows = groups.reduce((total, group) => total + group.rows, 0);
  const leaves = schema.filter(({ type }) => type !== undefined);
  return {
    field_1: 2,
    field_2: schema.map(schemaElement),
    field_3: BigInt(rows),
    field_4: groups.map(rowGroup),
    field_5: keyValues.length === 0 ? undefined : keyValues.map(keyValue),
    field_6: 'repair-bench',
    field_7: leaves.map(() => struct({ 1: nested(struct({})) })),
  };
}

function keyValue({ key, value }: KeyValue): ThriftStruct {
  return struct({ 1: text(key), 2: value === undefined ? undefined : text(value) });
}

function schemaElement(element: SchemaElement): ThriftStruct {
  const { type, repetition_type: repetition, converted_type: converted, logical_type: logical } = element;
  return struct({
    1: type && i32(ParquetTypes.indexOf(type)),
    2: optionalI32(element.type_length),
    3: repetition && i32(FieldRepetitionTypes.indexOf(repetition)),
    4: text(element.name),
    5: optionalI32(element.num_children),
    6: converted && i32(ConvertedTypes.indexOf(converted)),
    7: optionalI32(element.scale),
    8: optionalI32(element.precision),
    9: optionalI32(element.field_id),
    10: logical && logicalType(logical),
  });
}

function rowGroup({ rows, chunks }: WrittenGroup): ThriftStruct {
  const uncompressed = chunks.reduce((total, chunk) => total + chunk.uncompressedBytes, 0);
  const compressed = chunks.reduce((total, chunk) => total + chunk.bytes, 0);
  return struct({
    1: list(chunks.map(columnChunk)),
    2: i64(uncompressed),
    3: i64(rows),
    5: i64(chunks[0]?.offset ?? 0),
    6: i64(compressed),
  });
}

function columnChunk(chunk: WrittenChunk): ThriftStruct {
  const { leaf, bounds, offsetIndex, columnIndex } = chunk;
  const encodings = ['PLAIN', 'RLE'] as const;
  const metadata = struct({
    1: i32(ParquetTypes.indexOf(leaf.element.type ?? 'BYTE_ARRAY')),
    2: list(encodings.map((encoding) => Encodings.indexOf(encoding))),
    3: list([...leaf.path]),
    4: i32(CompressionCodecs.indexOf(chunk.codec)),
    5: i64(chunk.entries),
    6: i64(chunk.uncompressedBytes),
    7: i64(chunk.bytes),
    9: i64(chunk.offset),
    12: nested(
      struct({
        3: i64(chunk.nulls),
        5: bounds && bytes(bounds.max),
        6: bounds && bytes(bounds.min),
      }),
    ),
  });
  return struct({
    2: i64(chunk.offset),
    3: nested(metadata),
    4: i64(offsetIndex.offset),
    5: i32(offsetIndex.length),
    6: columnIndex && i64(columnIndex.offset),
    7: columnIndex && i32(columnIndex.length),
  });
}

function logicalType(type: LogicalType): Field | undefined {
  const empty = nested(struct({}));
  switch (type.type) {
    case 'STRING':
      return nested(struct({ 1: empty }));
    case 'MAP':
      return nested(struct({ 2: empty }));
    case 'LIST':
      return nested(struct({ 3: empty }));
    case 'ENUM':
      return nested(struct({ 4: empty }));
    case 'DECIMAL':
      return nested(struct({ 5: nested(struct({ 1: i32(type.scale), 2: i32(type.precision) })) }));
    case 'DATE':
      return nested(struct({ 6: empty }));
    case 'TIME':
      return nested(struct({ 7: moment(type.isAdjustedToUTC, type.unit) }));
    case 'TIMESTAMP':
      return nested(struct({ 8: moment(type.isAdjustedToUTC, type.unit) }));
    case 'INTEGER':
      return nested(struct({ 10: nested(struct({ 1: i8(type.bitWidth), 2: flag(type.isSigned) })) }));
    case 'NULL':
      return nested(struct({ 11: empty }));
    case 'JSON':
      return nested(struct({ 12: empty }));
    case 'BSON':
      return nested(struct({ 13: empty }));
    case 'UUID':
      return nested(struct({ 14: empty }));
    case 'FLOAT16':
      return nested(struct({ 15: empty }));
    case 'VARIANT':
      return nested(struct({ 16: nested(struct({ 1: optionalI8(type.specification_version) })) }));
    case 'GEOMETRY':
      return nested(
        struct({ 17: nested(struct({ 1: type.crs === undefined ? undefined : text(type.crs) })) }),
      );
    case 'GEOGRAPHY':
      return nested(struct({ 18: nested(geography(type.crs, type.algorithm)) }));
    case 'INTERVAL':
      return undefined;
    case 'FILE':
      return nested(struct({ 19: empty }));
  }
}

function geography(crs: string | undefined, algorithm: string | undefined): ThriftStruct {
  const index = EdgeInterpolationAlgorithms.findIndex((name) => name === algorithm);
  return struct({ 1: crs === undefined ? undefined : text(crs), 2: index < 0 ? undefined : i32(index) });
}

function moment(isAdjusted: boolean, unit: TimeUnit): Field {
  const number = { MILLIS: 1, MICROS: 2, NANOS: 3 }[unit];
  return nested(struct({ 1: flag(isAdjusted), 2: nested(struct({ [number]: nested(struct({})) })) }));
}

/** A field's type in the compact protocol, and its value as hyparquet-writer's serializer takes it. */
type Field = readonly [type: number, value: ThriftStruct['fields'][number][2]];

function struct(fields: Readonly<Record<number, Field | undefined>>): ThriftStruct {
  return new ThriftStruct(
    Object.entries(fields).flatMap(([id, field]) => (field ? [[Number(id), field[0], field[1]]] : [])),
  );
}

const flag = (value: boolean): Field => [value ? 1 : 2, value];
const i8 = (value: number): Field => [3, value];
const i32 = (value: number): Field => [5, value];
const i64 = (value: number): Field => [6, BigInt(value)];
const text = (value: string): Field => [8, value];
const bytes = (value: Uint8Array): Field => [8, value];
const list = (values: (ThriftStruct | number | string)[]): Field => [9, values];
const nested = (value: ThriftStruct): Field => [12, value];
const optionalI8 = (value: number | undefined): Field | undefined =>
  value === undefined ? undefined : i8(value);
const optionalI32 = (value: number | undefined): Field | undefined =>
  value === undefined ? undefined : i32(value);
