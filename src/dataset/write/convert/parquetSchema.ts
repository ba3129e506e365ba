/**
 * The Parquet schema for Arrow columns, as pyarrow chooses it, and how values of each type become Parquet's.
 * Types that Parquet has no names for are kept by the Arrow schema that goes into the file's metadata.
 */
import { DataType, Precision, TimeUnit } from 'apache-arrow';
import type { Data, Field } from 'apache-arrow';
import type { SchemaElement } from 'hyparquet';
import { isSet } from '../../arrow/bitmap.ts';
import { hasOffsets, isText, isView } from '../../arrow/byteTypes.ts';
import { cellAt } from '../arrow/cells.ts';
import { widthOf } from '../arrow/columnData.ts';
import { cannotWrite } from '../writeErrors.ts';

/** One column or part of a column: what kind of group it is in Parquet, or how its values are read. */
export type ShredNode =
  | {
      readonly kind: 'leaf';
      readonly optional: boolean;
      readonly valueAt: (data: Data, row: number) => unknown;
    }
  | { readonly kind: 'struct'; readonly optional: boolean; readonly children: readonly ShredNode[] }
  | { readonly kind: 'list'; readonly optional: boolean; readonly item: ShredNode }
  | { readonly kind: 'dictionary'; readonly optional: boolean; readonly of: ShredNode };

export interface ShredColumn {
  readonly elements: readonly SchemaElement[];
  readonly node: ShredNode;
}

/** Schema elements and node of one column. Throws a `DatasetError` that names the column when Parquet has no such type. */
export function shredColumn(location: string, field: Field): ShredColumn {
  return columnOf(field, (what) => cannotWrite(location, field.name, what, 'Parquet'));
}

type Refuse = (what: string) => Error;

function columnOf(field: Field, refuse: Refuse, name = field.name): ShredColumn {
  const { type } = field;
  const optional = field.nullable || DataType.isNull(type);
  const repetition_type = optional ? 'OPTIONAL' : 'REQUIRED';
  if (DataType.isDictionary(type)) {
    const inner = columnOf(field.clone({ type: type.dictionary as DataType }), refuse, name);
    return { ...inner, node: { kind: 'dictionary', optional, of: inner.node } };
  }
  if (DataType.isStruct(type)) {
    const children = type.children.map((child) => columnOf(child, refuse));
    if (children.length === 0) throw refuse('structs without fields');
    const group: SchemaElement = { name, repetition_type, num_children: children.length };
    return {
      elements: [group, ...children.flatMap(({ elements }) => elements)],
      node: { kind: 'struct', optional, children: children.map(({ node }) => node) },
    };
  }
  if (DataType.isMap(type)) return mapColumn(type.children[0], optional, refuse, name);
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type)) {
    const [child] = type.children as Field[];
    if (child === undefined) throw refuse('lists of nothing');
    const item = columnOf(child, refuse, 'element');
    const elements: SchemaElement[] = [
      { name, repetition_type, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ];
    return { elements: [...elements, ...item.elements], node: { kind: 'list', optional, item: item.node } };
  }
  const { valueAt, ...element } = leafOf(type, refuse);
  return {
    elements: [{ name, repetition_type, ...element }],
    node: { kind: 'leaf', optional, valueAt },
  };
}

function mapColumn(entries: Field | undefined, optional: boolean, refuse: Refuse, name: string): ShredColumn {
  if (entries === undefined || !DataType.isStruct(entries.type)) throw refuse('maps of nothing');
  const children = entries.type.children.map((child, index) =>
    // Parquet has no maps with null keys.
    columnOf(index === 0 ? child.clone({ nullable: false }) : child, refuse, ['key', 'value'][index]),
  );
  const repetition_type = optional ? 'OPTIONAL' : 'REQUIRED';
  const elements: SchemaElement[] = [
    { name, repetition_type, num_children: 1, converted_type: 'MAP', logical_type: { type: 'MAP' } },
    { name: 'key_value', repetition_type: 'REPEATED', num_children: children.length },
  ];
  const item: ShredNode = { kind: 'struct', optional: false, children: children.map(({ node }) => node) };
  return {
    elements: [...elements, ...children.flatMap((child) => child.elements)],
    node: { kind: 'list', optional, item },
  };
}

type Leaf = Omit<SchemaElement, 'name'> & { readonly valueAt: (data: Data, row: number) => unknown };

function leafOf(type: DataType, refuse: Refuse): Leaf {
  if (DataType.isNull(type)) return { type: 'INT32', logical_type: { type: 'NULL' }, valueAt: () => null };
  if (DataType.isBool(type)) return { type: 'BOOLEAN', valueAt: bitAt };
  if (DataType.isInt(type)) return integer(type.bitWidth, type.isSigned);
  if (DataType.isFloat(type)) {
    if (type.precision === Precision.DOUBLE) return { type: 'DOUBLE', valueAt: numberAt };
    if (type.precision === Precision.SINGLE) return { type: 'FLOAT', valueAt: numberAt };
    return {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: 2,
      logical_type: { type: 'FLOAT16' },
      valueAt: bytesAt,
    };
  }
  if (isText(type)) {
    return { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' }, valueAt: cellAt };
  }
  if (hasOffsets(type) || isView(type)) {
    return { type: 'BYTE_ARRAY', valueAt: cellAt };
  }
  if (DataType.isFixedSizeBinary(type) && type.byteWidth > 0) {
    return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: type.byteWidth, valueAt: bytesAt };
  }
  if (DataType.isDecimal(type)) {
    const { precision, scale } = type;
    return {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: type.bitWidth / 8,
      converted_type: 'DECIMAL',
      precision,
      scale,
      logical_type: { type: 'DECIMAL', precision, scale },
      valueAt: (data, row) => bytesAt(data, row).toReversed(),
    };
  }
  return momentOf(type, refuse);
}

function momentOf(type: DataType, refuse: Refuse): Leaf {
  if (DataType.isDuration(type)) return { type: 'INT64', valueAt: bigintAt };
  // Dates in milliseconds may hold a time of day, which Parquet's dates cannot.
  if (DataType.isDate(type) && type.unit === 0) {
    return { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' }, valueAt: numberAt };
  }
  if (DataType.isTimestamp(type)) {
    const isAdjustedToUTC = type.timezone !== null && type.timezone !== undefined;
    const unit = unitOf(type.unit);
    return {
      type: 'INT64',
      ...(unit === 'NANOS' ? {} : { converted_type: `TIMESTAMP_${unit}` as const }),
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit },
      valueAt: type.unit === TimeUnit.SECOND ? (data, row) => bigintAt(data, row) * 1000n : bigintAt,
    };
  }
  if (DataType.isTime(type)) {
    const unit = unitOf(type.unit);
    const logical_type = { type: 'TIME', isAdjustedToUTC: false, unit } as const;
    if (type.unit === TimeUnit.SECOND) {
      return {
        type: 'INT32',
        converted_type: 'TIME_MILLIS',
        logical_type,
        valueAt: (data, row) => Number(numberAt(data, row)) * 1000,
      };
    }
    if (unit === 'MILLIS')
      return { type: 'INT32', converted_type: 'TIME_MILLIS', logical_type, valueAt: numberAt };
    const converted = unit === 'MICROS' ? { converted_type: 'TIME_MICROS' as const } : {};
    return { type: 'INT64', ...converted, logical_type, valueAt: bigintAt };
  }
  throw refuse(`values of the type ${String(type)}`);
}

/** Seconds, which Parquet does not have, become milliseconds. */
function unitOf(unit: TimeUnit): 'MILLIS' | 'MICROS' | 'NANOS' {
  if (unit === TimeUnit.NANOSECOND) return 'NANOS';
  return unit === TimeUnit.MICROSECOND ? 'MICROS' : 'MILLIS';
}

function integer(bitWidth: number, isSigned: boolean): Leaf {
  const name = `${isSigned ? 'INT' : 'UINT'}_${bitWidth}` as SchemaElement['converted_type'] & string;
  const plain = isSigned && bitWidth >= 32;
  return {
    type: bitWidth === 64 ? 'INT64' : 'INT32',
    ...(plain
      ? {}
      : { converted_type: name, logical_type: { type: 'INTEGER', bitWidth, isSigned } as const }),
    // Unsigned numbers are kept as the signed ones with the same bits.
    valueAt: bitWidth === 64 ? bigintAt : (data, row) => Number(numberAt(data, row)) | 0,
  };
}

const numberAt = (data: Data, row: number): unknown => (data.values as ArrayLike<unknown>)[row];
const bitAt = (data: Data, row: number): boolean => isSet(data.values as Uint8Array, row);
const bigintAt = (data: Data, row: number): bigint => BigInt.asIntN(64, data.values[row] ?? 0n);

function bytesAt(data: Data, row: number): Uint8Array {
  const width = widthOf(data.type);
  const values: ArrayBufferView = data.values;
  return new Uint8Array(values.buffer, values.byteOffset + row * width, width);
}
