/** Writes a new dataset in which every row that has a gold fix ships it; all other rows stay as they are. */
import { byChoice } from '../../fault/remedy.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { writeDataset, type WrittenDataset } from '../../dataset/write/writeDataset.ts';
import { counted } from '../../wording/counted.ts';
import { joinWords } from '../../wording/joinWords.ts';
import { taskWithGold } from './exportTask.ts';
import { findGoldFixes } from './findGoldFixes.ts';
import { GoldError } from '../goldError.ts';
import { readGoldFix } from '../goldFix.ts';
import { matchGoldFixes, refuseEdited, taskOfRow, type Unmatched } from './matchGoldFixes.ts';

export interface ExportOptions {
  readonly skipUnmatched: boolean;
  /** Replaces a file that is there; never the source. */
  readonly force: boolean;
  readonly onProgress?: (progress: ExportProgress) => void;
  readonly signal?: AbortSignal;
}

export interface ExportProgress {
  readonly phase: 'gold-fixes' | 'rows';
  readonly done: number;
  readonly total: number;
}

export interface ExportedGoldFixes extends WrittenDataset {
  readonly skipped: readonly Unmatched[];
}

/**
 * Writes `source` to `target` (see `writeDataset`) with the gold fixes that lie in `folders` in place.
 * @throws GoldError for a gold fix that is of no row, was edited, or is one of two for a row; DatasetError
 */
export async function exportGoldFixes(
  source: Dataset,
  folders: readonly string[],
  target: string,
  { skipUnmatched, force, onProgress, signal }: ExportOptions,
): Promise<ExportedGoldFixes> {
  const found = await findGoldFixes(folders, signal);
  const matches = await matchGoldFixes(source, found, {
    skipUnmatched,
    signal,
    onProgress: (done) => onProgress?.({ phase: 'gold-fixes', done, total: found.length }),
  });
  if (matches.folders.size === 0)
    throw new GoldError(
      'other-task',
      `There ${found.length === 1 ? 'is' : 'are'} ${counted(found.length, 'gold fix', 'gold fixes')} in ${joinWords(folders)}, and none is of a row of ${source.location}.`,
      byChoice('dataset', 'name the dataset that they were saved for'),
    );
  const replacements = new Map(
    [...matches.folders].map(([row, folder]) => [row, () => solvedTask(source, row, folder, signal)]),
  );
  const written = await writeDataset(source, replacements, target, {
    force,
    ...(signal === undefined ? {} : { signal }),
    onProgress: (done) => onProgress?.({ phase: 'rows', done, total: source.rowCount }),
  });
  return { ...written, skipped: matches.unmatched };
}

/** Read again when its row is written: gold fixes are not all held in memory, and may change meanwhile. */
async function solvedTask(
  source: Dataset,
  row: number,
  folder: string,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const task = await taskOfRow(source, row, signal);
  const goldFix = await readGoldFix(folder);
  refuseEdited(goldFix, task);
  return taskWithGold(task, goldFix);
}
