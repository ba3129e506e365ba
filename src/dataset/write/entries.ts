/** Values of one leaf column as Parquet keeps them: what every source of rows is turned into, and pages are made of. */

/** Some rows of a leaf, with the levels that say what is null and where lists begin. */
export interface Entries {
  readonly count: number;
  /** Per entry; the leaf's highest level where there is a value. Absent: every entry has one. */
  readonly definition: ArrayLike<number> | undefined;
  /** Per entry; 0 begins a row. Absent: every entry is a row. */
  readonly repetition: ArrayLike<number> | undefined;
  /** In the leaf's physical type, without the nulls: numbers, bigints, booleans, bytes. */
  readonly values: readonly unknown[];
}

/** Bytes that a value takes in a page. */
export function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length + 4;
  return typeof value === 'boolean' ? 1 : 8;
}
