/** Which files of a repository hold tasks, and which of them a person means. Pure. */
import { hasWildcard, pathMatcher } from '../../task/dockerfile/glob.ts';
import { shardName } from '../tables/shardSet.ts';

/** How the bytes of a file are checked: `git-blob` is SHA-1 over a header and the bytes, as Git names files. */
export interface FileHash {
  readonly kind: 'sha256' | 'git-blob';
  /** Lower-case hex digits: 64, or 40. */
  readonly hex: string;
}

export interface HubFile {
  /** Path in the repository; safe to use below a folder. */
  readonly path: string;
  readonly bytes: number;
  readonly at:
    | { readonly kind: 'hub'; readonly hash: FileHash }
    /** Known from the cache alone, where it is. */
    | { readonly kind: 'cache'; readonly hostPath: string };
}

/** What can be opened as one dataset: a file, or all parts of one. */
export interface TaskChoice {
  /** Path of the file, or the name of the set of parts: `data/train-*-of-00003.parquet`. */
  readonly path: string;
  /** In the order of their rows. */
  readonly files: readonly HubFile[];
  /** Of all files. */
  readonly bytes: number;
}

export const TASK_FILE_ENDINGS = ['.parquet', '.arrow', '.tar.gz', '.tgz', '.tar'] as const;

export function isTaskFile(path: string): boolean {
  const name = path.toLowerCase();
  return TASK_FILE_ENDINGS.some((ending) => name.endsWith(ending));
}

/** The datasets among `files` that `path` names: one file, all below a folder, all that match a pattern, or all. */
export function taskChoices(files: readonly HubFile[], path: string | undefined): TaskChoice[] {
  const found = files.filter((file) => isTaskFile(file.path));
  if (path === undefined) return grouped(found);
  const [exact] = found.filter((file) => file.path === path);
  if (exact) return [choice(path, [exact])];
  const matches = hasWildcard(path) ? pathMatcher(path, true) : (each: string) => each.startsWith(`${path}/`);
  return grouped(found.filter((file) => matches(file.path)));
}

/** The folder that holds everything a path or pattern can name; `''` is the top. */
export function folderToList(path: string | undefined): string {
  const parts = (path ?? '').split('/');
  const wild = parts.findIndex(hasWildcard);
  return wild === -1 ? (path ?? '') : parts.slice(0, wild).join('/');
}

/** Complete sets of parts become one choice each; parts of a set that is not complete stay files. */
function grouped(files: readonly HubFile[]): TaskChoice[] {
  const sets = new Map<string, HubFile[]>();
  for (const file of files) {
    const pattern = shardName(file.path)?.pattern;
    if (pattern === undefined) continue;
    const set = sets.get(pattern);
    if (set) set.push(file);
    else sets.set(pattern, [file]);
  }
  const choices = files.flatMap((file): TaskChoice[] => {
    const shard = shardName(file.path);
    const set = shard && sets.get(shard.pattern);
    if (!shard || !set || set.length !== shard.count || shard.count === 1) return [choice(file.path, [file])];
    return shard.index === 0 ? [choice(shard.pattern, [...set].sort(byPath))] : [];
  });
  return choices.sort(byPath);
}

function choice(path: string, files: readonly HubFile[]): TaskChoice {
  return { path, files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}
