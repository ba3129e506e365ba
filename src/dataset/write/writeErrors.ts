/** What can go wrong while a dataset is written, in words. */
import { DatasetError } from '../datasetError.ts';

/** A column whose type the target's format has no place for. */
export function cannotWrite(
  location: string,
  column: string,
  what: string,
  format: 'Parquet' | 'Arrow',
): DatasetError {
  return new DatasetError(
    'unsupported',
    `${location}: its column ${column} holds ${what}, which cannot be written to ${format} as they are.`,
    format === 'Parquet'
      ? 'Write an Arrow file instead: give a target that ends with .arrow.'
      : 'Write a Parquet file instead: give a target that ends with .parquet.',
  );
}

/** An error of the file system while `target` was written; other errors, with a `code` of their own, stay as they are. */
export function asWriteError(error: unknown, target: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  const options = { cause: error };
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new DatasetError(
        'disk-full',
        `${target} could not be written: the disk is full. Nothing was left behind.`,
        'Free some space, or choose a target on another disk.',
        options,
      );
    case 'EROFS':
      return new DatasetError(
        'read-only',
        `${target} could not be written: its file system is read-only.`,
        'Choose a target on another disk.',
        options,
      );
    case 'EACCES':
    case 'EPERM':
      return new DatasetError(
        'permission-denied',
        `${target} could not be written: this user may not write there.`,
        'Give yourself permission to write to its folder, or choose another target.',
        options,
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return new DatasetError(
        'not-found',
        `${target} could not be written: its folder does not exist.`,
        'Make the folder first, or choose another target.',
        options,
      );
    default:
      return new DatasetError(
        'write-failed',
        `${target} could not be written: ${error.message}. Nothing was left behind.`,
        'Check the disk or the network share that should hold it, or choose another target.',
        options,
      );
  }
}
