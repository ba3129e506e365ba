// Locks between processes. Each belongs to a `flock` child that ends with our end of its stdin, so that the kernel frees it
// however this process dies.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cacheFolder.ts';

const TAKEN = 75;

/** Runs `body` while no other process holds the lock `name`. */
export async function withLock<T>(name: string, body: () => Promise<T>): Promise<T> {
  return holding(await take(name, ['--exclusive']), body);
}

/** Runs `body` while no other process has the lock `name` to itself; several may share it. */
export async function withSharedLock<T>(name: string, body: () => Promise<T>): Promise<T> {
  return holding(await take(name, ['--shared']), body);
}

/** Runs `body` with the lock `name` to itself if nobody holds or shares it now; says whether it did. */
export async function ifUnlocked(name: string, body: () => Promise<void>): Promise<boolean> {
  const lock = await take(name, ['--exclusive', '--nonblock']);
  if (lock) await holding(lock, body);
  return lock !== undefined;
}

interface Lock {
  free(): Promise<unknown>;
}

/** Undefined: somebody else has it, and it was not to be waited for. */
async function take(name: string, how: readonly string[]): Promise<Lock | undefined> {
  const folder = join(cacheFolder(), 'locks');
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  const command = ['sh', '-c', 'echo held; exec cat'];
  const holder = spawn('flock', ['--conflict-exit-code', String(TAKEN), ...how, file, ...command], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'exit');
  const [said]: unknown[] = await Promise.race([once(holder.stdout, 'data'), ended, once(holder, 'error')]);
  if (said === TAKEN) return undefined;
  if (!String(said).startsWith('held'))
    throw new Error(`Cannot lock ${file}: is \`flock\` (util-linux) installed?`);
  return {
    free: () => {
      holder.stdin.end();
      return ended;
    },
  };
}

async function holding<T>(lock: Lock | undefined, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } finally {
    await lock?.free();
  }
}
