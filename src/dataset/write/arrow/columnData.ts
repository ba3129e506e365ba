/** Makes apache-arrow's `Data` from buffers, for any type: `makeData` wants to know the type when it is compiled. */
import { Data, DataType } from 'apache-arrow';
import type { Vector } from 'apache-arrow';
import { isSet } from '../../arrow/bitmap.ts';
import { isView } from '../../arrow/byteTypes.ts';

/** The buffers of a column; which of them a type has is told by Arrow's columnar format. */
export interface ColumnParts {
  /** One bit per row, 1 where there is a value. Absent: no row is null. */
  readonly validity?: Uint8Array | undefined;
  readonly offsets?: Int32Array | BigInt64Array;
  /** As bytes, whatever the type of the values is. */
  readonly values?: Uint8Array;
  readonly children?: Data[];
  readonly dictionary?: Vector;
  readonly variadic?: Uint8Array[];
}

export function columnData(type: DataType, length: number, parts: ColumnParts): Data {
  const { validity, offsets, values, children = [], dictionary, variadic = [] } = parts;
  // -1 has apache-arrow count the nulls itself.
  const nullCount = DataType.isNull(type) ? length : validity === undefined ? 0 : -1;
  const typed = values && asTyped(DataType.isDictionary(type) ? type.indices : type, values);
  const buffers = [offsets, typed, validity] as ConstructorParameters<typeof Data>[4];
  return new Data(type, 0, length, nullCount, buffers, children, dictionary, variadic);
}

/** Bytes of one value of a type whose values all take the same. */
export function widthOf(type: DataType): number {
  if (DataType.isFixedSizeBinary(type)) return type.byteWidth;
  if (DataType.isDecimal(type)) return type.bitWidth / 8;
  if (DataType.isInterval(type)) return [4, 8, 16][type.unit] ?? 8;
  const { BYTES_PER_ELEMENT: bytes }: { BYTES_PER_ELEMENT: number } = type.ArrayType;
  return bytes;
}

/** `count` bits from bit `from` on, moved to the beginning. */
export function bitsFrom(bits: Uint8Array, from: number, count: number): Uint8Array {
  const moved = new Uint8Array((count + 7) >> 3);
  for (let index = 0; index < count; index++) {
    if (isSet(bits, from + index)) moved[index >> 3] = (moved[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return moved;
}

/** Which of `present` are true, as a validity bitmap, or `undefined` when all are. */
export function validityOf(present: readonly boolean[]): Uint8Array | undefined {
  if (present.every(Boolean)) return undefined;
  const bits = new Uint8Array((present.length + 7) >> 3);
  for (const [index, isPresent] of present.entries()) {
    if (isPresent) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bits;
}

export function isValid(data: Data, index: number): boolean {
  if (DataType.isNull(data.type)) return false;
  const bitmap: Uint8Array | undefined = data.nullBitmap;
  if (bitmap === undefined || bitmap.length === 0) return true;
  return isSet(bitmap, index);
}

function asTyped(type: DataType, bytes: Uint8Array): ArrayBufferView {
  if (DataType.isBool(type) || isView(type)) return bytes;
  const { ArrayType } = type as {
    ArrayType: new (buffer: ArrayBufferLike, at: number, length: number) => ArrayBufferView;
  };
  const width = (ArrayType as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
  const own = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
  return new ArrayType(own.buffer, own.byteOffset, Math.floor(own.byteLength / width));
}
