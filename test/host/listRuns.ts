// All runs of a workspace at once, for tests; the product reads them one by one.
import { newestRuns, type SavedRun } from '../../src/workspace/runs/runs.ts';

export interface RunList {
  /** Newest first. */
  readonly runs: readonly SavedRun[];
  /** Host paths of damaged run files. */
  readonly damaged: readonly string[];
}

export async function listRuns(workspace: { readonly folder: string }): Promise<RunList> {
  const runs: SavedRun[] = [];
  const damaged: string[] = [];
  for await (const { file, record } of newestRuns(workspace)) {
    if (record) runs.push({ file, record });
    else damaged.push(file);
  }
  return { runs, damaged };
}
