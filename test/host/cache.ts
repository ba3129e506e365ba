// The cache folder: what test hosts install lives here, outside the repository, made once and reused.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const STAMP = '.complete';

/** Whether a call found what it needed, or what it had to do. */
export type How = 'reused' | 'started' | 'installed';

/** A finished folder of the cache. */
export interface CachedFolder {
  readonly folder: string;
  readonly how: How;
}

/** The folder that holds all installs: `REPAIR_BENCH_CACHE`, else `repair-bench` in the user's cache folder. */
export function cacheFolder(): string {
  const { REPAIR_BENCH_CACHE, XDG_CACHE_HOME } = process.env;
  return REPAIR_BENCH_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'repair-bench');
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

/**
 * Runs `body` while no other process holds the lock `name`. The lock belongs to a `flock` child that ends
 * with our end of its stdin, so that the kernel frees it however this process dies.
 */
export async function withLock<T>(name: string, body: () => Promise<T>): Promise<T> {
  const folder = join(cacheFolder(), 'locks');
  await mkdir(folder, { recursive: true });
  const holder = spawn('flock', [join(folder, name), 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'exit');
  const first: unknown = await Promise.race([once(holder.stdout, 'data'), ended, once(holder, 'error')]);
  if (!String(first).startsWith('held')) {
    throw new Error(`Cannot lock ${join(folder, name)}: is \`flock\` (util-linux) installed?`);
  }
  try {
    return await body();
  } finally {
    holder.stdin.end();
    await ended;
  }
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
