/** Reads a task that lies as a folder on the host's disk, with an archive's limits and refusals. */
import { lstat, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveResult } from './archive.ts';
import { TaskArchiveError, tooLarge } from './archiveError.ts';
import { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from './archiveLimits.ts';
import { decodeName, encodeName, isPlainText, memberPath, printableName } from './memberName.ts';
import type { TaskFile } from '../task.ts';
import { INSTRUCTION, TASK_TOML } from '../taskLayout.ts';

/** Whether a folder with these names in it is a task: it has `instruction.md` or `task.toml`. */
export function isTaskFolder(names: Iterable<string>): boolean {
  return [...names].some((name) => name === INSTRUCTION || name === TASK_TOML);
}

/**
 * Reads all files of the folder `dir` (a host path) into memory, without following links; `.git` and `__pycache__`
 * are left out. Never throws for what it finds: a file that is no plain file, or cannot be read, is an `error`.
 */
export async function readTaskFolder(
  dir: string,
  limits: Partial<ArchiveLimits> = {},
): Promise<ArchiveResult> {
  const walk: Walk = {
    root: dir,
    limits: { ...DEFAULT_ARCHIVE_LIMITS, ...limits },
    files: new Map(),
    members: 0,
    bytes: 0,
  };
  try {
    await readFolder(walk, '');
    if (walk.files.size === 0)
      throw new TaskArchiveError(
        'empty',
        `The folder ${printableName(dir)} holds no files, so there is no task in it.`,
        "Choose the folder with the task's instruction.md.",
      );
    return { ok: true, files: walk.files };
  } catch (error) {
    if (error instanceof TaskArchiveError) return { ok: false, error };
    throw error;
  }
}

interface Walk {
  readonly root: string;
  readonly limits: ArchiveLimits;
  readonly files: Map<string, TaskFile>;
  members: number;
  bytes: number;
}

const IGNORED: ReadonlySet<string> = new Set(['.git', '__pycache__']);

async function readFolder(walk: Walk, folder: string): Promise<void> {
  for (const entry of await listed(walk, folder)) {
    if (IGNORED.has(entry)) continue;
    const path = folder === '' ? entry : `${folder}/${entry}`;
    walk.members += 1;
    if (walk.members > walk.limits.members)
      throw new TaskArchiveError(
        'too-many-members',
        `The folder has more than ${walk.limits.members} files and folders, which is more than a task may have.`,
        "Choose one task's folder.",
        path,
      );
    const safe = memberPath(path);
    if (!safe.ok)
      throw new TaskArchiveError(
        safe.code,
        `The folder was refused: for ${printableName(path)}, ${safe.because}.`,
        'Rename it.',
        path,
      );
    await readEntry(walk, path);
  }
}

async function readEntry(walk: Walk, path: string): Promise<void> {
  const facts = await reading(path, lstat(hostPath(walk, path)));
  if (facts.isDirectory()) return readFolder(walk, path);
  if (!facts.isFile())
    throw new TaskArchiveError(
      'not-a-regular-file',
      `The folder was refused: ${printableName(path)} is ${facts.isSymbolicLink() ? 'a symbolic link' : 'neither a file nor a folder'}, and a task may hold only plain files and folders.`,
      'Put a copy of the file in its place.',
      path,
    );
  if (facts.size > walk.limits.fileBytes)
    throw new TaskArchiveError(
      'file-too-large',
      `${printableName(path)} has ${facts.size} bytes, more than the ${walk.limits.fileBytes} that a task's file may have.`,
      'Leave it out of the task.',
      path,
    );
  walk.bytes += facts.size;
  if (walk.bytes > walk.limits.totalBytes) throw tooLarge(walk.limits);
  const bytes = await reading(path, readFile(hostPath(walk, path)));
  walk.files.set(path, { path, bytes: new Uint8Array(bytes), mode: facts.mode & 0o777 });
}

/** The names in a folder, sorted, so that a task reads the same on every host. */
async function listed(walk: Walk, folder: string): Promise<string[]> {
  const path = hostPath(walk, folder);
  const names = await reading(folder === '' ? walk.root : folder, readdir(path, { encoding: 'buffer' }));
  return names.map((name) => decodeName(name)).sort();
}

/** Names that are not text can only be given to the host as bytes. */
function hostPath(walk: Walk, path: string): string | Buffer {
  if (isPlainText(path)) return join(walk.root, path);
  return Buffer.concat([Buffer.from(`${walk.root}/`), encodeName(path)]);
}

async function reading<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    throw new TaskArchiveError(
      'unreadable',
      `${printableName(path)} cannot be read: ${because}.`,
      'Check that it exists and that you may read it.',
      path,
    );
  }
}
