/** Finds the task that arguments name: by dataset and row, task folder, or workspace. */
import { stat } from 'node:fs/promises';
import type { DatasetFormat } from '../../dataset/dataset.ts';
import type { PathList } from '../../dataset/tables/pathList.ts';
import { readRow as readDatasetRow } from '../../dataset/tables/readRow.ts';
import { withDataset } from '../../dataset/withDataset.ts';
import type { Task } from '../../task/task.ts';
import { findWorkspaceOf, loadWorkspace, type TaskWorkspace } from '../../workspace/taskWorkspace.ts';
import { WorkspaceError } from '../../workspace/workspaceError.ts';
import { joinWords } from '../../wording/joinWords.ts';
import { CliError } from '../failures/cliError.ts';
import { oneLine } from '../terminal/textLayout.ts';

export interface DatasetRow {
  readonly task: Task;
  readonly dataset: { readonly location: string; readonly format: DatasetFormat; readonly rowCount: number };
  readonly row: { readonly index: number; readonly path: string };
}

const MOST_CHOICES = 10;

/** Reads one row; `row` undefined means the only one there is. @throws DatasetError, TaskArchiveError, CliError */
export async function readRow(
  location: string,
  row: string | undefined,
  signal: AbortSignal,
): Promise<DatasetRow> {
  return withDataset(location, signal, async (dataset) => {
    const paths = await dataset.paths(signal);
    const index = chooseRow(paths, row, location);
    const path = paths.pathAt(index);
    const { format, rowCount } = dataset;
    return {
      task: await readDatasetRow(dataset, index, path, signal),
      dataset: { location: dataset.location, format, rowCount },
      row: { index, path },
    };
  });
}

/** The workspace that a host path names or lies in; undefined when it is something else. @throws WorkspaceError */
export async function readWorkspace(target: string): Promise<TaskWorkspace | undefined> {
  const folder = await findWorkspaceOf(target);
  if (folder === undefined) return undefined;
  // A dataset can lie inside a workspace's parent, and a task folder inside "work": only what exists can be meant.
  await stat(target).catch(() => {
    throw new CliError('not-found', `There is no ${target}.`, 'Check the path.');
  });
  const workspace = await loadWorkspace(folder);
  if (workspace instanceof WorkspaceError) throw workspace;
  return workspace;
}

/** A row's index by path, by `#INDEX`, or by a bare index where no row has that path. @throws CliError */
export function chooseRow(paths: PathList, row: string | undefined, location: string): number {
  if (row === undefined) {
    if (paths.length === 1) return 0;
    throw new CliError(
      'no-row',
      `${location} has ${paths.length} rows.`,
      `Name one by its path or '#INDEX'; "repair-bench list ${location}" shows them.`,
    );
  }
  const exact = paths.rowsOf(row);
  const found = exact.length > 0 ? exact : paths.rowsOf(`${row}.tar.gz`);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (first !== undefined) throw repeated(row, found, location);
  const index = /^#?(\d{1,15})$/.exec(row)?.[1];
  if (index === undefined) throw noSuchRow(paths, row, location);
  if (Number(index) < paths.length) return Number(index);
  throw new CliError(
    'no-such-row',
    `${location} has no row #${index}; ${paths.length === 1 ? 'its only row is #0' : `its ${paths.length} rows are #0 to #${paths.length - 1}`}.`,
    `"repair-bench list ${location}" shows them.`,
  );
}

function repeated(row: string, rows: readonly number[], location: string): CliError {
  const choices = rows.map((index) => `'#${index}'`);
  return new CliError(
    'repeated-path',
    `${rows.length} rows of ${location} have the path ${oneLine(row)}.`,
    `Name one by its index: ${joinWords(choices, { most: MOST_CHOICES })}.`,
  );
}

function noSuchRow(paths: PathList, row: string, location: string): CliError {
  const found = similarRows(paths, row);
  const similar = found.slice(0, MOST_CHOICES).map((index) => oneLine(paths.pathAt(index)));
  const another = found.length > similar.length ? ['another'] : [];
  return new CliError(
    'no-such-row',
    `${location} has no row ${oneLine(row)}.`,
    similar.length === 0
      ? `"repair-bench list ${location}" shows its rows.`
      : `Did you mean ${joinWords([...similar, ...another], { last: 'or' })}?`,
  );
}

/** Rows that hold the text, or as much of its start as any row does. */
function similarRows(paths: PathList, text: string): number[] {
  for (let length = text.length; length >= 3; length--) {
    const rows = paths.find(text.slice(0, length), MOST_CHOICES + 1);
    if (rows.length > 0) return rows;
  }
  return [];
}
