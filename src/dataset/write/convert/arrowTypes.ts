/** The Arrow type of a Parquet leaf, and a column of that type from the leaf's physical values. */
import {
  Binary,
  Bool,
  DataType,
  DateDay,
  Decimal,
  FixedSizeBinary,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  Null,
  TimeMicrosecond,
  TimeMillisecond,
  TimeNanosecond,
  TimeUnit,
  Timestamp,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
} from 'apache-arrow';
import type { Data } from 'apache-arrow';
import type { SchemaElement } from 'hyparquet';
import { binaryData } from '../arrow/cells.ts';
import { columnData, validityOf, widthOf } from '../arrow/columnData.ts';

const TEXTS = new Set<string | undefined>(['UTF8', 'ENUM', 'JSON', 'STRING']);
const INTEGERS: Readonly<Record<string, new () => DataType>> = {
  INT_8: Int8,
  INT_16: Int16,
  INT_32: Int32,
  INT_64: Int64,
  UINT_8: Uint8,
  UINT_16: Uint16,
  UINT_32: Uint32,
  UINT_64: Uint64,
};
const UNITS = { MILLIS: TimeUnit.MILLISECOND, MICROS: TimeUnit.MICROSECOND, NANOS: TimeUnit.NANOSECOND };

/** The Arrow type that holds the leaf's values as they are, or `undefined` when there is none. */
export function arrowType(element: SchemaElement): DataType | undefined {
  const { type, type_length: width = 0, converted_type: converted, logical_type: logical } = element;
  if (logical?.type === 'NULL') return new Null();
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    return decimalType(element);
  }
  switch (type) {
    case 'BOOLEAN':
      return new Bool();
    case 'FLOAT':
      return new Float32();
    case 'DOUBLE':
      return new Float64();
    case 'BYTE_ARRAY':
      return TEXTS.has(converted) || TEXTS.has(logical?.type) ? new Utf8() : new Binary();
    case 'FIXED_LEN_BYTE_ARRAY':
      return logical?.type === 'FLOAT16' ? new Float16() : new FixedSizeBinary(width);
    case 'INT32':
    case 'INT64':
      return momentType(element) ?? integerType(element);
    case 'INT96':
    case undefined:
      return undefined;
  }
}

/** Bytes of any length may hold a decimal, so that its precision tells what is needed: 128 bits hold 38 digits, 256 hold 76. */
function decimalType({
  type_length: width = 0,
  precision = 0,
  scale = 0,
}: SchemaElement): DataType | undefined {
  if (width > 32 || precision > 76) return undefined;
  return new Decimal(scale, precision, width > 16 || precision > 38 ? 256 : 128);
}

function momentType({
  type,
  converted_type: converted,
  logical_type: logical,
}: SchemaElement): DataType | undefined {
  if (converted === 'DATE' || logical?.type === 'DATE') return new DateDay();
  if (logical?.type === 'TIMESTAMP')
    return new Timestamp(UNITS[logical.unit], logical.isAdjustedToUTC ? 'UTC' : null);
  if (converted === 'TIMESTAMP_MILLIS') return new Timestamp(TimeUnit.MILLISECOND, 'UTC');
  if (converted === 'TIMESTAMP_MICROS') return new Timestamp(TimeUnit.MICROSECOND, 'UTC');
  if (logical?.type === 'TIME' && logical.unit === 'NANOS') return new TimeNanosecond();
  if (logical?.type !== 'TIME' && converted !== 'TIME_MILLIS' && converted !== 'TIME_MICROS')
    return undefined;
  return type === 'INT32' ? new TimeMillisecond() : new TimeMicrosecond();
}

function integerType({ type, converted_type: converted, logical_type: logical }: SchemaElement): DataType {
  const name =
    logical?.type === 'INTEGER' ? `${logical.isSigned ? 'INT' : 'UINT'}_${logical.bitWidth}` : converted;
  const Integer = INTEGERS[name ?? ''] ?? (type === 'INT64' ? Int64 : Int32);
  return new Integer();
}

/** A column of physical `values`; `null` stands for null. */
export function leafData(type: DataType, values: readonly unknown[]): Data {
  if (DataType.isNull(type)) return columnData(type, values.length, {});
  if (DataType.isUtf8(type) || DataType.isBinary(type)) {
    return binaryData(
      type,
      values.map((value) => (value instanceof Uint8Array ? value : null)),
    );
  }
  const validity = validityOf(values.map((value) => value !== null));
  return columnData(type, values.length, { validity, values: fixedBytes(type, values) });
}

function fixedBytes(type: DataType, values: readonly unknown[]): Uint8Array {
  if (DataType.isBool(type)) {
    return validityOf([...values.map((value) => value === true), false]) ?? new Uint8Array(0);
  }
  const width = widthOf(type);
  const bytes = Buffer.alloc(values.length * width);
  for (const [index, value] of values.entries()) {
    const at = index * width;
    if (value === null) continue;
    if (DataType.isDecimal(type)) bytes.set(decimalBytes(value, width), at);
    else if (value instanceof Uint8Array) bytes.set(value, at);
    else if (DataType.isFloat(type)) {
      if (width === 4) bytes.writeFloatLE(Number(value), at);
      else bytes.writeDoubleLE(Number(value), at);
    } else bytes.set(integerBytes(BigInt(value as number | bigint), width), at);
  }
  return bytes;
}

/** Parquet keeps decimals as numbers, or as bytes from the highest on. */
function decimalBytes(value: unknown, width: number): Uint8Array {
  if (!(value instanceof Uint8Array)) return integerBytes(BigInt(value as number | bigint), width);
  const sign = ((value[0] ?? 0) & 0x80) === 0 ? 0 : 0xff;
  const bytes = new Uint8Array(width).fill(sign);
  const lowest = value.toReversed();
  bytes.set(lowest.subarray(0, width));
  const isWhole =
    lowest.subarray(width).every((byte) => byte === sign) &&
    ((bytes[width - 1] ?? 0) & 0x80) === (sign & 0x80);
  if (!isWhole)
    throw new RangeError(`a decimal of ${value.length} bytes has more digits than its type holds`);
  return bytes;
}

function integerBytes(value: bigint, width: number): Uint8Array {
  return Uint8Array.from({ length: width }, (_, index) =>
    Number(BigInt.asUintN(8, value >> BigInt(8 * index))),
  );
}
