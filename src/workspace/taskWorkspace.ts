/** One task workspace: a small handle, and how it is found and loaded from the disk. */
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DEFAULT_ARCHIVE_LIMITS } from '../task/archive/archiveLimits.ts';
import { readTaskArchive } from '../task/archive/archive.ts';
import { parseTask } from '../task/parseTask.ts';
import type { Task, TaskFiles } from '../task/task.ts';
import { writeAtomically } from './atomicWrite.ts';
import { withFileLock } from './fileLock.ts';
import { readPlainFile } from './plainFile.ts';
import { systemCode, WorkspaceError } from './workspaceError.ts';
import {
  factsText,
  parseFacts,
  type Revealable,
  TASK_FILE,
  WORKSPACE_FILE,
  type WorkspaceFacts,
} from './workspaceFile.ts';

/** A workspace as it was when it was loaded; callers read again what may have changed on disk. */
export interface TaskWorkspace {
  /** Host path, absolute. */
  readonly folder: string;
  readonly facts: WorkspaceFacts;
  readonly task: Task;
}

const MOST_FACTS_BYTES = 4 * 1024 * 1024;
const OPEN_AGAIN = 'Open the task again to get a new workspace, and copy your work there.';

/**
 * Loads the workspace in `folder` and checks that its task is the one it was made for.
 * Returns the error instead of throwing it: a workspace that people moved, edited or deleted is nothing unusual.
 */
export async function loadWorkspace(folder: string): Promise<TaskWorkspace | WorkspaceError> {
  try {
    const root = resolve(folder);
    const facts = await readFacts(root);
    return { folder: root, facts, task: await readTask(root, facts) };
  } catch (error) {
    if (error instanceof WorkspaceError) return error;
    throw error;
  }
}

/** The facts alone, without the task: cheap. @throws WorkspaceError */
export async function readFacts(folder: string): Promise<WorkspaceFacts> {
  const file = join(folder, WORKSPACE_FILE);
  let bytes: Uint8Array;
  try {
    bytes = await readPlainFile(file, MOST_FACTS_BYTES);
  } catch (error) {
    const code = error instanceof WorkspaceError ? systemCode(error.cause) : undefined;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new WorkspaceError(
      'not-a-workspace',
      file,
      `${folder} is not a workspace: it has no ${WORKSPACE_FILE}.`,
      'Open a task to make one, or name the folder that an earlier "open" printed.',
    );
  }
  const result = parseFacts(Buffer.from(bytes).toString('utf8'));
  if (result.ok) return result.facts;
  throw new WorkspaceError('damaged', file, `${file} cannot be used: ${result.because}.`, OPEN_AGAIN);
}

/**
 * Records once that the person saw a spoiler. Keeps what another window writes at the same time.
 * @throws WorkspaceError
 */
export async function markRevealed(
  workspace: TaskWorkspace,
  what: Revealable,
  now: Date,
): Promise<TaskWorkspace> {
  const file = join(workspace.folder, WORKSPACE_FILE);
  return withFileLock(file, async () => {
    const facts = await readFacts(workspace.folder);
    if (facts.revealed[what] !== undefined) return { ...workspace, facts };
    const marked = { ...facts, revealed: { ...facts.revealed, [what]: now.toISOString() } };
    await writeAtomically(file, factsText(marked));
    return { ...workspace, facts: marked };
  });
}

/** The workspace folder that a host path lies in, the nearest one; undefined when there is none. Never throws. */
export async function findWorkspaceOf(path: string): Promise<string | undefined> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (await isWorkspace(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The workspaces directly under `root`, by name, read without their tasks. Damaged ones are skipped. Never throws. */
export async function listWorkspaces(
  root: string,
): Promise<readonly { readonly folder: string; readonly facts: WorkspaceFacts }[]> {
  const names = await readdir(root).catch(() => []);
  const found = names.sort().map(async (name) => {
    const folder = join(resolve(root), name);
    return name.startsWith('.') ? [] : [{ folder, facts: await readFacts(folder) }];
  });
  return (await Promise.allSettled(found)).flatMap((result) =>
    result.status === 'fulfilled' ? result.value : [],
  );
}

/** Other tools have a `workspace.json` too, also a solution may: ours names a task's hash or lies beside its archive. */
async function isWorkspace(folder: string): Promise<boolean> {
  const read = (name: string, bytes: number) =>
    readPlainFile(join(folder, name), bytes).catch(() => undefined);
  const facts = await read(WORKSPACE_FILE, MOST_FACTS_BYTES);
  if (facts === undefined) return false;
  return (
    Buffer.from(facts).includes('"taskHash"') ||
    (await read(TASK_FILE, DEFAULT_ARCHIVE_LIMITS.totalBytes)) !== undefined
  );
}

async function readTask(folder: string, facts: WorkspaceFacts): Promise<Task> {
  const file = join(folder, TASK_FILE);
  const archive = await readTaskArchive(await readPlainFile(file, DEFAULT_ARCHIVE_LIMITS.totalBytes));
  if (!archive.ok)
    throw new WorkspaceError(
      'damaged',
      file,
      `${file} cannot be used. ${archive.error.message}`,
      OPEN_AGAIN,
      { cause: archive.error },
    );
  const task = parseTask(facts.task, withModes(archive.files, facts.modes));
  if (task.hash === facts.taskHash) return task;
  throw new WorkspaceError(
    'damaged',
    file,
    `${file} is not the task that this workspace was made for: its files were changed.`,
    OPEN_AGAIN,
  );
}

function withModes(files: TaskFiles, modes: WorkspaceFacts['modes']): TaskFiles {
  return new Map([...files].map(([path, file]) => [path, { ...file, mode: modes[path] ?? file.mode }]));
}
