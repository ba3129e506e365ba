/** Reads the edited files back: all plain files under `work/`, without following links, in bounded memory. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerPath } from '../task/containerPath.ts';
import { decodeName } from '../task/archive/memberName.ts';
import type { SolutionState } from '../verifier/plan/solution.ts';
import { bytesText } from '../wording/bytesText.ts';
import { fromHostName, toHostName } from './hostNames.ts';
import { readPlainFile } from './plainFile.ts';
import type { TaskWorkspace } from './taskWorkspace.ts';
import { fileSystemError, systemCode, WorkspaceError } from './workspaceError.ts';
import { containerPathOfNames, hostPathOf, workFolderOf } from './workPaths.ts';

/** The limits of a solution; sizes in bytes. */
export interface SolutionLimits {
  /** Files and folders together. */
  readonly entries: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly depth: number;
}

const DEFAULT_LIMITS: SolutionLimits = {
  entries: 10_000,
  fileBytes: 64 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  depth: 64,
};

/** Files of systems, editors and interpreters; part of a solution only when the task ships them. */
const TOOL_FILES: ReadonlySet<string> = new Set([
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
  '.git',
  '.vscode',
  '.idea',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
]);
const SWAP_FILE = /^\..+\.sw[a-p]$|~$/;

/** The solution of a workspace as it lies on the disk. A file that is missing was deleted. @throws WorkspaceError */
export async function readSolution(workspace: TaskWorkspace): Promise<SolutionState> {
  const shipped = workspace.task.family.solution.map(({ path }) => path);
  const files = await readSolutionTree(workFolderOf(workspace), shipped);
  for (const path of shipped) {
    const file = hostPathOf(workspace, path);
    if (!files.has(path) && (await isFolder(file)))
      throw new WorkspaceError(
        'not-a-plain-file',
        file,
        `${file} is a folder; the solution's ${path} belongs there.`,
        'Move the folder away and put the file back.',
      );
  }
  return { files };
}

/**
 * All plain files under `root` (a host path) by the container path they stand for; none when there is no such folder.
 * Files that tools leave behind are skipped, except those in `shipped`. @throws WorkspaceError
 */
export async function readSolutionTree(
  root: string,
  shipped: readonly ContainerPath[] = [],
  limits: SolutionLimits = DEFAULT_LIMITS,
): Promise<ReadonlyMap<ContainerPath, Uint8Array>> {
  const walk: Walk = { files: new Map(), shipped, limits, entries: 0, bytes: 0 };
  await readFolder(walk, root, []);
  return new Map([...walk.files].sort(([left], [right]) => (left < right ? -1 : 1)));
}

interface Walk {
  readonly files: Map<ContainerPath, Uint8Array>;
  readonly shipped: readonly ContainerPath[];
  readonly limits: SolutionLimits;
  entries: number;
  bytes: number;
}

async function readFolder(walk: Walk, folder: string, names: readonly string[]): Promise<void> {
  const { limits } = walk;
  if (names.length > limits.depth) throw tooMuch(folder, `its folders are more than ${limits.depth} deep`);
  const entries = await namesIn(folder, names.length === 0);
  walk.entries += entries.length;
  if (walk.entries > limits.entries)
    throw tooMuch(folder, `there are more than ${limits.entries} files and folders`);
  for (const entry of entries) {
    const path = containerPathOfNames([...names, entry]);
    if (isToolFile(entry) && !isShipped(walk, path)) continue;
    if (path === undefined) throw oddName(join(folder, entry), entry);
    await readEntry(walk, join(folder, entry), path, [...names, entry]);
  }
}

function isShipped({ shipped }: Walk, path: ContainerPath | undefined): boolean {
  return path !== undefined && shipped.some((each) => each === path || each.startsWith(`${path}/`));
}

async function readEntry(
  walk: Walk,
  file: string,
  path: ContainerPath,
  names: readonly string[],
): Promise<void> {
  const facts = await lstat(file).catch((error: unknown) => {
    throw fileSystemError(error, file, 'read');
  });
  if (facts.isDirectory()) return readFolder(walk, file, names);
  const bytes = await readPlainFile(file, walk.limits.fileBytes);
  walk.bytes += bytes.length;
  if (walk.bytes > walk.limits.totalBytes)
    throw tooMuch(file, `its files have more than ${bytesText(walk.limits.totalBytes)} together`);
  walk.files.set(path, bytes);
}

/** Names on disk that are not text become strings with lone surrogates, which no container path has. */
async function namesIn(folder: string, isRoot: boolean): Promise<string[]> {
  try {
    // `readdir` follows a link in place of the folder itself.
    if ((await lstat(folder)).isSymbolicLink()) throw linkedFolder(folder);
    const names = await readdir(folder, { encoding: 'buffer' });
    return names.map((name) => decodeName(name)).sort();
  } catch (error) {
    if (isRoot && systemCode(error) === 'ENOENT') return [];
    throw fileSystemError(error, folder, 'read');
  }
}

function isToolFile(name: string): boolean {
  return TOOL_FILES.has(name) || SWAP_FILE.test(name);
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

function linkedFolder(folder: string): WorkspaceError {
  return new WorkspaceError(
    'not-a-plain-file',
    folder,
    `${folder} is a symbolic link; a folder belongs there.`,
    'Put a copy of the folder in its place.',
  );
}

function oddName(file: string, name: string): WorkspaceError {
  const better = toHostName(name);
  const renamed = fromHostName(better) === undefined ? 'to a plain name' : `to ${JSON.stringify(better)}`;
  return new WorkspaceError(
    'odd-name',
    file,
    `${JSON.stringify(file)} has a name that not every system can hold, so it cannot be part of a solution.`,
    `Rename it ${renamed}, or delete it.`,
  );
}

function tooMuch(file: string, because: string): WorkspaceError {
  return new WorkspaceError(
    'too-large',
    file,
    `The solution is too large to be read: ${because}.`,
    'Move what does not belong to the solution out of the folder "work".',
  );
}
