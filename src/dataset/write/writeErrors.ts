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

/** A column as a file has it: its name, and all that has to be the same in every file of a dataset. */
export interface ColumnShape {
  readonly name: string;
  readonly shape: string;
}

/** Throws a `DatasetError` when the file at `location` has other columns than the `first` file of its dataset. */
export function refuseOtherColumns(
  location: string,
  columns: readonly ColumnShape[],
  first: readonly ColumnShape[],
): void {
  for (let at = 0; at < Math.max(columns.length, first.length); at++) {
    const [own, expected] = [columns[at], first[at]];
    if (own?.name === expected?.name && own?.shape === expected?.shape) continue;
    throw new DatasetError(
      'unsupported',
      `${location} has other columns than the first file of its dataset: they differ at ${(own ?? expected)?.name ?? ''}.`,
      'Open one of the files alone, or write them with the same columns.',
    );
  }
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
