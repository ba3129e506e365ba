// The cache folder: what test hosts install lives here, outside the repository, made once and reused.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { cacheFolder } from './cacheFolder.ts';
import { withLock } from './locks.ts';

const STAMP = '.complete';

/** Whether a call found what it needed, or what it had to do. */
export type How = 'reused' | 'started' | 'installed';

/** A finished folder of the cache. */
export interface CachedFolder {
  readonly folder: string;
  readonly how: How;
}

/**
 * Gives the folder `key` of the cache, filled by `build` if it is not there yet.
 *
 * `build` works in a temporary folder beside it, which is renamed when complete: an interrupted build is
 * never mistaken for a finished one, and its remains are swept by the next.
 */
export async function ensureCached(
  key: string,
  build: (folder: string) => Promise<void>,
): Promise<CachedFolder> {
  const folder = join(cacheFolder(), key);
  if (isComplete(folder)) return { folder, how: 'reused' };
  return withLock(key.replaceAll('/', '-'), async () => {
    if (isComplete(folder)) return { folder, how: 'reused' };
    await mkdir(dirname(folder), { recursive: true });
    await removeRemains(folder);
    const unfinished = await mkdtemp(`${folder}.part-`);
    await build(unfinished);
    await writeFile(join(unfinished, STAMP), '');
    await rename(unfinished, folder);
    return { folder, how: 'installed' };
  });
}

function isComplete(folder: string): boolean {
  return existsSync(join(folder, STAMP));
}

async function removeRemains(folder: string): Promise<void> {
  const siblings = await readdir(dirname(folder));
  const remains = siblings.filter(
    (name) => name === basename(folder) || name.startsWith(`${basename(folder)}.part-`),
  );
  for (const name of remains) await rm(join(dirname(folder), name), { recursive: true, force: true });
}
