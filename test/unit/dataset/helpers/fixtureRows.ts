/** The table that every file of test/fixtures/datasets holds, and where those files are. */
import { join } from 'node:path';
import type { Dataset } from '../../../../src/dataset/dataset.ts';
import { DatasetError } from '../../../../src/dataset/datasetError.ts';
import { ROOT } from '../../../host/root.ts';

export const FIXTURE_ROWS = 24;

export interface FixtureRow {
  readonly path: string;
  readonly task: Buffer | null;
}

export function fixtureFile(name: string): string {
  return join(ROOT, 'test/fixtures/datasets', name);
}

/** The rows as make.py writes them: `repeated` files hold every path twice, `text` ones hold hexadecimal text. */
export function expectedRows(shape: { repeated?: boolean; text?: boolean } = {}): FixtureRow[] {
  return Array.from({ length: FIXTURE_ROWS }, (_, row) => {
    const number = shape.repeated === true ? Math.floor(row / 2) : row;
    const bytes = blob(shape.repeated === true ? row % 6 : row);
    const task = shape.text === true ? Buffer.from(bytes.toString('hex')) : bytes;
    return { path: `task-${String(number).padStart(4, '0')}`, task: row % 10 === 5 ? null : task };
  });
}

/** What a dataset holds, row by row; a null cell is told by its error. */
export async function actualRows(dataset: Dataset): Promise<FixtureRow[]> {
  const paths = await dataset.paths();
  const rows: FixtureRow[] = [];
  for (let row = 0; row < dataset.rowCount; row++) {
    rows.push({ path: paths.pathAt(row), task: await taskOrNull(dataset, row) });
  }
  return rows;
}

/** The error that `work` ends with. */
export async function datasetError(work: Promise<unknown>): Promise<DatasetError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DatasetError) return error;
    throw error;
  }
  throw new Error('a DatasetError was expected');
}

async function taskOrNull(dataset: Dataset, row: number): Promise<Buffer | null> {
  try {
    const content = await dataset.readTask(row);
    return content.kind === 'archive' ? Buffer.from(content.bytes) : null;
  } catch (error) {
    if (error instanceof DatasetError && error.code === 'null-cell') return null;
    throw error;
  }
}

function blob(row: number): Buffer {
  const length = [0, 1, 40, 150][row % 4] ?? 0;
  return Buffer.from(Array.from({ length }, (_, index) => (row * 31 + index * 7) % 256));
}
