/** Errors about bytes that should be Parquet or Arrow; callers add the file, row and column. */
export class Corrupt extends Error {
  override readonly name = 'Corrupt';
}

/** Bytes that are well formed, but in a way that is not supported: a codec, an encoding, a type. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

/** Something needs more memory than the limit allows. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
