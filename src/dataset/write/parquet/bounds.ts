/** The smallest and largest value of a page, for columns whose order is the plain order of their physical type. */
import type { SchemaElement } from 'hyparquet';
import { unconvertMinMax } from 'hyparquet-writer/src/unconvert.js';

export interface Bounds {
  readonly min: Uint8Array;
  readonly max: Uint8Array;
}

/** Values are cut to this many bytes; bounds are still bounds then. */
const BOUND_BYTES = 64;
/** Texts and bytes, whose order is that of their bytes. */
const BYTE_ORDER = new Set<string | undefined>([undefined, 'UTF8', 'JSON', 'BSON', 'ENUM']);
const SIGNED_ORDER = new Set<string | undefined>([
  undefined,
  'INT_8',
  'INT_16',
  'INT_32',
  'INT_64',
  'DATE',
  'TIME_MILLIS',
  'TIME_MICROS',
  'TIMESTAMP_MILLIS',
  'TIMESTAMP_MICROS',
]);

/**
 * Whether bounds are written for such a column. Others, such as decimals and floating-point numbers with their NaN, go
 * without: a reader then looks at every page, which is never wrong.
 * https://parquet.apache.org/docs/file-format/pageindex/
 */
export function hasBounds({
  type,
  converted_type: converted,
  logical_type: logical,
}: SchemaElement): boolean {
  if (type === 'BYTE_ARRAY') {
    return BYTE_ORDER.has(converted) && (logical === undefined || BYTE_LOGICAL.has(logical.type));
  }
  if (type !== 'INT32' && type !== 'INT64') return false;
  if (logical?.type === 'INTEGER') return logical.isSigned;
  return SIGNED_ORDER.has(converted) && (logical === undefined || MOMENTS.has(logical.type));
}

const BYTE_LOGICAL = new Set(['STRING', 'JSON', 'BSON', 'ENUM']);
const MOMENTS = new Set(['DATE', 'TIME', 'TIMESTAMP']);

/** The bounds of values, at least one, of a column that `hasBounds`; `undefined` when there is no upper bound this short. */
export function boundsOf(element: SchemaElement, values: readonly unknown[]): Bounds | undefined {
  let [min] = values;
  let max = min;
  for (const value of values) {
    if (compare(value, min) < 0) min = value;
    if (compare(value, max) > 0) max = value;
  }
  // Values are physical already, and a logical type would have them converted once more; text is cut at a character.
  const isText = element.converted_type === 'UTF8' || element.logical_type?.type === 'STRING';
  const physical: Parameters<typeof unconvertMinMax>[1] = {
    name: element.name,
    ...(element.type && { type: element.type }),
    ...(isText && { converted_type: 'UTF8' }),
  };
  const lower = unconvertMinMax(bound(min), physical, false, BOUND_BYTES);
  const upper = unconvertMinMax(bound(max), physical, true, BOUND_BYTES);
  if (lower === undefined || upper === undefined || upper.length > BOUND_BYTES + 4) return undefined;
  return { min: lower, max: upper };
}

function compare(left: unknown, right: unknown): number {
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : left > right ? 1 : 0;
  return Number(left) - Number(right);
}

function bound(value: unknown): Uint8Array | bigint | number | undefined {
  const fits = value instanceof Uint8Array || typeof value === 'bigint' || typeof value === 'number';
  return fits ? value : undefined;
}
