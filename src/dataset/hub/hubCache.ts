/**
 * The cache that all clients of the hub share, so that a file is downloaded only once
 * (https://huggingface.co/docs/huggingface_hub/guides/manage-cache):
 * `datasets--owner--name/` with the bytes in `blobs/<hash>`, links to them in `snapshots/<commit>/<path>`, and in
 * `refs/<revision>` the commit that a branch or tag stood for.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hubPath } from './hubAddress.ts';
import type { HubSettings } from './hubSettings.ts';
import { type HubFile, isTaskFile } from './taskFiles.ts';

const COMMIT = /^[0-9a-f]{40}$/;
const MOST_CACHED_ENTRIES = 100_000;

/** The part of the cache for one repository. */
export interface RepoCache {
  readonly folder: string;
  /** The whole cache; nothing outside of it is read through a link. */
  readonly root: string;
}

export function repoCache({ cache }: HubSettings, repo: string): RepoCache {
  return { folder: join(cache, ['datasets', ...repo.split('/')].join('--')), root: cache };
}

export function blobFolder({ folder }: RepoCache): string {
  return join(folder, 'blobs');
}

export function snapshotPath({ folder }: RepoCache, commit: string, path: string): string {
  return join(folder, 'snapshots', commit, ...path.split('/'));
}

/** Host path of a file of a commit; undefined when it is missing or has the wrong size. */
export async function cachedFile(
  cache: RepoCache,
  commit: string,
  { path, bytes }: Pick<HubFile, 'path' | 'bytes'>,
): Promise<string | undefined> {
  const place = snapshotPath(cache, commit, path);
  return (await sizeInside(cache, place)) === bytes ? place : undefined;
}

/** Host path of the bytes with a hash, which another commit or another client may have downloaded. */
export async function cachedBlob(cache: RepoCache, hash: string, bytes: number): Promise<string | undefined> {
  const blob = join(blobFolder(cache), hash);
  return (await sizeInside(cache, blob)) === bytes ? blob : undefined;
}

/** Makes the bytes in `blob` the file of a commit. */
export async function linkBlob(
  cache: RepoCache,
  commit: string,
  path: string,
  blob: string,
): Promise<string> {
  const place = snapshotPath(cache, commit, path);
  await mkdir(dirname(place), { recursive: true });
  // By a name of its own first: another process may link the same file at the same time.
  const temporary = `${place}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await symlink(relative(dirname(place), blob), temporary);
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Windows gives links to developers only; the other clients then keep the bytes here too.
    if (code !== 'EPERM' && code !== 'ENOSYS' && code !== 'ENOTSUP') throw error;
    await rename(blob, place);
  }
  return place;
}

/** The commit that a revision stood for when it was last asked for. */
export async function cachedCommit({ folder }: RepoCache, revision: string): Promise<string | undefined> {
  if (COMMIT.test(revision)) return revision;
  const text = await readFile(refFile(folder, revision), 'utf8').catch(() => '');
  return COMMIT.exec(text.trim())?.[0];
}

/** Records the commit of a revision for use without a network. A failure to write it does not fail a download. */
export async function noteCommit({ folder }: RepoCache, revision: string, commit: string): Promise<void> {
  if (revision === commit) return;
  const file = refFile(folder, revision);
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, commit);
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** The task files of a commit that are in the cache. */
export async function cachedFiles(cache: RepoCache, commit: string): Promise<HubFile[]> {
  const top = join(cache.folder, 'snapshots', commit);
  const files: HubFile[] = [];
  const folders = [''];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(top, folder), { withFileTypes: true }).catch(() => [])) {
      entries += 1;
      if (entries > MOST_CACHED_ENTRIES) return files;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (isTaskFile(path) && hubPath(path) === path) {
        const hostPath = snapshotPath(cache, commit, path);
        const bytes = await sizeInside(cache, hostPath);
        if (bytes !== undefined) files.push({ path, bytes, at: { kind: 'cache', hostPath } });
      }
    }
  }
  return files;
}

/** The size of a file that lies in the cache, also by a link; undefined for all others. */
async function sizeInside({ root }: RepoCache, place: string): Promise<number | undefined> {
  try {
    const [real, realRoot] = await Promise.all([realpath(place), realpath(root)]);
    if (!real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) return undefined;
    const stats = await stat(real);
    return stats.isFile() ? stats.size : undefined;
  } catch {
    return undefined;
  }
}

function refFile(folder: string, revision: string): string {
  return join(folder, 'refs', ...revision.split('/'));
}
