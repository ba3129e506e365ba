/** Makes a task's workspace, or finds the one that is there. A workspace is whole or absent, whatever happens. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { packTaskArchive } from '../task/archive/packArchive.ts';
import type { Task } from '../task/task.ts';
import { syncFolder, writeDurably } from './atomicWrite.ts';
import { loadWorkspace, type TaskWorkspace } from './taskWorkspace.ts';
import { fileSystemError, systemCode, WorkspaceError } from './workspaceError.ts';
import {
  factsText,
  RUNS_FOLDER,
  TASK_FILE,
  WORKSPACE_FILE,
  WORKSPACE_VERSION,
  type WorkspaceFacts,
  type WorkspaceOrigin,
} from './workspaceFile.ts';
import { workspaceName } from './workspaceName.ts';
import { hostPathOf, workFolderOf } from './workPaths.ts';

export interface OpenedWorkspace {
  readonly workspace: TaskWorkspace;
  /** False when it was there already, with whatever was edited in it. */
  readonly created: boolean;
}

/** Folders being made; those that a killed process left behind are removed by the next one after {@link STALE_MS}. */
const UNFINISHED = '.repair-bench-unfinished-';
const STALE_MS = 10 * 60 * 1000;

/**
 * The workspace of a task under `root` (a host path, made when missing). The same row with the same bytes finds the
 * same workspace; two processes at once end with one. @throws WorkspaceError when there can be none.
 */
export async function openOrCreateWorkspace(
  root: string,
  task: Task,
  origin: WorkspaceOrigin,
  now = new Date(),
): Promise<OpenedWorkspace> {
  const folder = join(resolve(root), workspaceName(task, origin));
  const present = await openPresent(folder, task);
  if (present) return { workspace: present, created: false };
  const facts = factsOf(task, origin, now);
  if (await create(folder, task, facts)) return { workspace: { folder, facts, task }, created: true };
  const other = await openPresent(folder, task);
  if (other) return { workspace: other, created: false };
  throw fileSystemError(new Error('it appeared and went away again'), folder, 'written');
}

async function openPresent(folder: string, task: Task): Promise<TaskWorkspace | undefined> {
  try {
    // The root may be a link that a person made; what lies under it is ours, and nothing is written through a link.
    if ((await lstat(folder)).isSymbolicLink()) throw occupied(folder, 'it is a symbolic link');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw fileSystemError(error, folder, 'read');
  }
  const workspace = await loadWorkspace(folder);
  if (workspace instanceof WorkspaceError) {
    if (workspace.code !== 'not-a-workspace')
      throw new WorkspaceError(
        workspace.code,
        workspace.file,
        workspace.message,
        `Move ${folder} away, then open the task again.`,
        { cause: workspace },
      );
    throw occupied(folder, 'it is not a workspace');
  }
  if (workspace.task.hash !== task.hash) throw occupied(folder, 'it is the workspace of another task');
  return workspace;
}

function occupied(folder: string, because: string): WorkspaceError {
  return new WorkspaceError(
    'occupied',
    folder,
    `The workspace cannot be made: ${folder} is there already, and ${because}.`,
    'Move it away, or choose another folder for workspaces.',
  );
}

function factsOf(task: Task, origin: WorkspaceOrigin, now: Date): WorkspaceFacts {
  const modes = [...task.files.values()].flatMap(({ path, mode }) =>
    mode === (path.endsWith('.sh') ? 0o755 : 0o644) ? [] : [[path, mode] as const],
  );
  return {
    version: WORKSPACE_VERSION,
    task: task.id,
    family: task.family.name,
    taskHash: task.hash,
    origin,
    files: task.family.solution.map(({ path }) => path),
    modes: Object.fromEntries(modes),
    revealed: {},
    createdAt: now.toISOString(),
  };
}

/** False when another process was faster. */
async function create(folder: string, task: Task, facts: WorkspaceFacts): Promise<boolean> {
  const root = dirname(folder);
  const unfinished = join(root, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  try {
    await makeFolders(root);
    await removeStale(root);
    await mkdir(unfinished);
    await fill(unfinished, task, facts);
    await rename(unfinished, folder);
    await syncFolder(root);
    return true;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    // What renaming over a folder that is not empty comes to, on Linux, macOS and Windows.
    const code = systemCode(error);
    if (code === 'ENOTEMPTY' || ((code === 'EEXIST' || code === 'EPERM') && (await isThere(folder))))
      return false;
    throw fileSystemError(error, error instanceof WorkspaceError ? error.file : folder, 'written');
  }
}

/**
 * Makes a folder and those above it. `mkdir` with `recursive` never returns below a folder such as `/proc`, where nothing
 * can be made and the error is ENOENT (seen with Node 20.20).
 * @throws the system's error for the first folder that cannot be made
 */
async function makeFolders(folder: string): Promise<void> {
  const above = dirname(folder);
  if (above !== folder && !(await isThere(above))) await makeFolders(above);
  await mkdir(folder).catch(async (error: unknown) => {
    // The folder above is there, so this is a file system that takes no folders.
    if (systemCode(error) === 'ENOENT')
      throw new WorkspaceError(
        'not-writable',
        folder,
        `${folder} cannot be made: its file system takes no new folders.`,
        'Choose a folder that you may write to.',
        { cause: error },
      );
    if (systemCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
  });
}

async function fill(folder: string, task: Task, facts: WorkspaceFacts): Promise<void> {
  const workspace = { folder };
  await mkdir(workFolderOf(workspace));
  for (const { path, starter, mode } of task.family.solution) {
    if (starter === undefined) continue;
    const file = hostPathOf(workspace, path);
    await makeFolders(dirname(file));
    // The owner can always edit, whatever the archive says.
    await writeDurably(file, starter, mode | 0o600).catch((error: unknown) => {
      throw systemCode(error) === 'EEXIST' ? sameName(file, path) : error;
    });
  }
  await mkdir(join(folder, RUNS_FOLDER));
  await writeDurably(join(folder, TASK_FILE), await packTaskArchive(task.files.values()));
  await writeDurably(join(folder, WORKSPACE_FILE), factsText(facts));
  await syncFolder(folder);
}

function sameName(file: string, path: string): WorkspaceError {
  return new WorkspaceError(
    'odd-name',
    file,
    `This disk does not tell ${path} from another file of the task with the same letters in another case.`,
    'Choose a folder on a disk that tells cases apart.',
  );
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function removeStale(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(UNFINISHED))) {
    const folder = join(root, name);
    const age = await lstat(folder).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
