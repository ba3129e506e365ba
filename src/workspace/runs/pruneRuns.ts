/** Keeps the history of a workspace within bounds: deletes the oldest runs, and solutions that no run names. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KEPT_FILE, keptFolderOf } from './keptSolutions.ts';
import { runNames, runsFolderOf, solutionPrefixIn } from './runFiles.ts';
import type { WorkspaceFolder } from '../workPaths.ts';

export interface HistoryLimits {
  readonly runs: number;
  /** Of runs and kept solutions together. */
  readonly bytes: number;
}

const HISTORY_LIMITS: HistoryLimits = { runs: 1000, bytes: 512 * 1024 * 1024 };
/** Milliseconds that a solution without a run stays, since another window may be about to save the run. */
const YOUNG_MS = 10 * 60 * 1000;

/** Deletes what is beyond the limits; the newest run always stays. Never throws: another process may do the same. */
export async function pruneRuns(
  workspace: WorkspaceFolder,
  limits: HistoryLimits = HISTORY_LIMITS,
  nowMs = Date.now(),
): Promise<void> {
  const solutions = await keptFiles(workspace);
  const counted = new Set<string>();
  let bytes = 0;
  let full = false;
  for (const [index, name] of (await runNames(workspace)).entries()) {
    const file = join(runsFolderOf(workspace), name);
    const prefix = solutionPrefixIn(name) ?? '';
    bytes += (await factsOf(file)).size;
    if (!counted.has(prefix))
      bytes += (solutions.get(prefix) ?? []).reduce((sum, kept) => sum + kept.size, 0);
    full ||= index > 0 && (index >= limits.runs || bytes > limits.bytes);
    if (full) await rm(file, { force: true }).catch(() => undefined);
    else counted.add(prefix);
  }
  for (const [prefix, kept] of solutions)
    for (const { file, mtimeMs } of kept)
      if (!counted.has(prefix) && nowMs - mtimeMs > YOUNG_MS)
        await rm(file, { force: true }).catch(() => undefined);
}

interface KeptFile {
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The kept solutions, by what the names of their runs hold of their hash. */
async function keptFiles(workspace: WorkspaceFolder): Promise<ReadonlyMap<string, readonly KeptFile[]>> {
  const folder = keptFolderOf(workspace);
  const found = new Map<string, KeptFile[]>();
  for (const name of await readdir(folder).catch(() => [])) {
    const prefix = KEPT_FILE.exec(name)?.[1]?.slice(0, 8);
    if (prefix === undefined) continue;
    const file = join(folder, name);
    found.set(prefix, [...(found.get(prefix) ?? []), { file, ...(await factsOf(file)) }]);
  }
  return found;
}

async function factsOf(file: string): Promise<{ readonly size: number; readonly mtimeMs: number }> {
  return lstat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
}
