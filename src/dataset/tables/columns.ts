/** The two columns every table of tasks has, and the errors about them, for all formats with columns. */
import { joinWords } from '../../wording/joinWords.ts';
import type { Dataset } from '../dataset.ts';
import { DatasetError } from '../datasetError.ts';
import { Corrupt, TooLarge, Unsupported } from '../formatErrors.ts';

export const PATH_COLUMN = 'path';
export const TASK_COLUMN = 'task_binary';

/** Throws when the dataset has no such row. */
export function checkRow({ rowCount, location }: Pick<Dataset, 'rowCount' | 'location'>, row: number): void {
  if (Number.isInteger(row) && row >= 0 && row < rowCount) return;
  throw new DatasetError(
    'no-such-row',
    `${location} has no row ${row}: it has ${rowCount === 0 ? 'no rows' : `rows 0 to ${rowCount - 1}`}.`,
    'Choose one of its rows.',
  );
}

export function missingColumn(location: string, name: string, found: readonly string[]): DatasetError {
  const columns = found.length === 0 ? 'It has no columns.' : `Its columns are: ${nameColumns(found)}.`;
  return new DatasetError(
    'missing-column',
    `${location} has no column ${name}. ${columns}`,
    `Open a file of tasks, with the columns ${PATH_COLUMN} and ${TASK_COLUMN}, or rename the column that holds them.`,
  );
}

export function wrongType(location: string, name: string, found: string): DatasetError {
  return new DatasetError(
    'wrong-column-type',
    `${location} holds ${found} in its column ${name}, where text or bytes are expected.`,
    `Write the file again with ${name} as a string or binary column.`,
  );
}

export function nullCell(location: string, row: number): DatasetError {
  return new DatasetError(
    'null-cell',
    `${location}, row ${row}: ${TASK_COLUMN} is null, so this row has no task.`,
    'Open another row; this one has to be filled where the dataset is made.',
  );
}

/** Says which row and column an error of the format's decoder concerns; other errors stay as they are. */
export function rowError(error: unknown, location: string, column: string, row?: number): unknown {
  const where = `${location}, ${row === undefined ? '' : `row ${row}, `}column ${column}`;
  if (error instanceof TooLarge) {
    return new DatasetError('too-large', `${where}: ${error.message}.`, 'Leave this row out.', {
      cause: error,
    });
  }
  if (error instanceof Unsupported) {
    return new DatasetError(
      'unsupported',
      `${where}: ${error.message}.`,
      'Write the file again with snappy or zstd compression and default encodings.',
      { cause: error },
    );
  }
  // Decoders of libraries run off the end of damaged data with a RangeError or TypeError.
  if (error instanceof Corrupt || error instanceof RangeError || error instanceof TypeError) {
    return new DatasetError(
      'corrupt',
      `${where} is damaged: ${error.message}.`,
      'Download or write the file again; rows in other parts of it may still be read.',
      { cause: error },
    );
  }
  return error;
}

function nameColumns(names: readonly string[]): string {
  return joinWords(names, { most: 20 });
}
