/**
 * The solutions that were verified, kept in `runs/solutions/` by their hash: runs of the same solution share one file.
 * Only what differs from the starter is in it, since the starter is in `task.tar.gz`.
 */
import { lstat, lutimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import { containerPathSchema } from '../../task/schemas.ts';
import type { Task } from '../../task/task.ts';
import { changesOf, solutionHash, type SolutionState, starterOf } from '../../verifier/plan/solution.ts';
import { writeAtomically } from '../atomicWrite.ts';
import { readPlainFile } from '../plainFile.ts';
import { makeRunsFolder } from './runFiles.ts';
import type { WorkspaceFolder } from '../workPaths.ts';
import { systemCode, WorkspaceError } from '../workspaceError.ts';
import { RUNS_FOLDER } from '../workspaceFile.ts';

const SOLUTIONS_FOLDER = 'solutions';
const KEPT_VERSION = 1;
/** A solution that changes more bytes than this is not kept, as the history would outgrow the work. */
const MOST_CHANGED_BYTES = 16 * 1024 * 1024;
/** The same with base64 and names; a file that unpacks to more was not written here. */
const MOST_TEXT_BYTES = 2 * MOST_CHANGED_BYTES;
/** As they are named in `runs/solutions/`. */
export const KEPT_FILE = /^([0-9a-f]{64})\.json\.gz$/;

const keptSchema = z.object({
  version: z.literal(KEPT_VERSION),
  /** Changed and added files, by container path, as base64. */
  files: z.array(z.object({ path: containerPathSchema, base64: z.string() })),
  deleted: z.array(containerPathSchema),
});

/** The part of a workspace that is needed here. */
export interface WorkspaceWithTask extends WorkspaceFolder {
  readonly task: Task;
}

/** Host path of the folder with the kept solutions. */
export function keptFolderOf(workspace: WorkspaceFolder): string {
  return join(workspace.folder, RUNS_FOLDER, SOLUTIONS_FOLDER);
}

/** Host path of the file that keeps the solution with this hash. */
export function keptFileOf(workspace: WorkspaceFolder, hash: string): string {
  return join(keptFolderOf(workspace), `${hash}.json.gz`);
}

/**
 * Keeps `solution`; nothing is written when it is kept already, or too large to be. The folder `runs/` must be there.
 * @throws WorkspaceError when it cannot be written
 */
export async function keepSolution(workspace: WorkspaceWithTask, solution: SolutionState): Promise<void> {
  const hash = solutionHash(solution);
  if (await refreshKept(workspace, hash)) return;
  const changes = [...changesOf(workspace.task, solution)];
  const changed = changes.flatMap(([path, change]) => {
    const bytes = change === 'changed' || change === 'added' ? solution.files.get(path) : undefined;
    return bytes ? [[path, bytes] as const] : [];
  });
  if (changed.reduce((sum, [, bytes]) => sum + bytes.length, 0) > MOST_CHANGED_BYTES) return;
  const kept: z.infer<typeof keptSchema> = {
    version: KEPT_VERSION,
    files: changed.map(([path, bytes]) => ({ path, base64: Buffer.from(bytes).toString('base64') })),
    deleted: changes.flatMap(([path, change]) => (change === 'deleted' ? [path] : [])),
  };
  await makeRunsFolder(keptFolderOf(workspace));
  await writeAtomically(keptFileOf(workspace, hash), await promisify(gzip)(JSON.stringify(kept)));
}

/** Whether the solution is kept already; marks it as new, since old ones that no run names are deleted. */
async function refreshKept(workspace: WorkspaceWithTask, hash: string): Promise<boolean> {
  try {
    if (!(await readKeptSolution(workspace, hash))) return false;
    const now = new Date();
    await lutimes(keptFileOf(workspace, hash), now, now);
    return true;
  } catch {
    return false;
  }
}

/**
 * The solution with this hash; undefined when it was not kept, as for runs of versions that kept none.
 * @throws WorkspaceError `damaged` when the file is not what was written
 */
export async function readKeptSolution(
  workspace: WorkspaceWithTask,
  hash: string,
): Promise<SolutionState | undefined> {
  const file = keptFileOf(workspace, hash);
  const packed = await readPlainFile(file, MOST_TEXT_BYTES).catch((error: unknown) => {
    if (error instanceof WorkspaceError && systemCode(error.cause) === 'ENOENT') return undefined;
    throw error;
  });
  if (!packed) return undefined;
  const solution = await parseKept(packed, workspace.task);
  if (solution && solutionHash(solution) === hash) return solution;
  throw new WorkspaceError(
    'damaged',
    file,
    `${file} cannot be used: it is not the solution that was verified.`,
    'Delete it; the run itself stays in the history.',
  );
}

/** Whether the solution with this hash was kept. Never throws. */
export async function isKept(workspace: WorkspaceFolder, hash: string): Promise<boolean> {
  return lstat(keptFileOf(workspace, hash)).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

async function parseKept(packed: Uint8Array, task: Task): Promise<SolutionState | undefined> {
  try {
    const text = await promisify(gunzip)(packed, { maxOutputLength: MOST_TEXT_BYTES });
    const kept = keptSchema.parse(JSON.parse(text.toString('utf8')));
    const files = new Map(starterOf(task).files);
    for (const path of kept.deleted) files.delete(path);
    for (const { path, base64 } of kept.files) files.set(path, Buffer.from(base64, 'base64'));
    return { files };
  } catch {
    return undefined;
  }
}
