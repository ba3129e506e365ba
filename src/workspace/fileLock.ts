/** One writer at a time for a file that several windows and the command line read, change and write back. */
import { randomUUID } from 'node:crypto';
import { lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileSystemError, systemCode, WorkspaceError } from './workspaceError.ts';

const PAUSE_MS = 20;
/** A change takes milliseconds; a lock this old was left behind by a process that died. */
const STALE_MS = 10_000;
const PATIENCE_MS = 20_000;

/** Does `work` while no other process does the same for `file` (a host path). @throws WorkspaceError, and what `work` throws */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = join(dirname(file), `.${basename(file)}.lock`);
  const token = randomUUID();
  await take(lock, token, file);
  try {
    return await work();
  } finally {
    // A process that was held up for long has lost its lock to another by now, and that one is not its to remove.
    const holder = await readFile(lock, 'utf8').catch(() => undefined);
    if (holder === token) await rm(lock, { force: true }).catch(() => undefined);
  }
}

async function take(lock: string, token: string, file: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    try {
      await writeFile(lock, token, { flag: 'wx' });
      return;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw fileSystemError(error, file, 'written');
    }
    if (await isStale(lock)) await rm(lock, { force: true }).catch(() => undefined);
    else await delay(PAUSE_MS);
  }
  throw new WorkspaceError(
    'unexpected',
    file,
    `${file} cannot be written: another program has held ${lock} for a long time.`,
    `End it, or delete ${lock}, then try again.`,
  );
}

/** A clock that was set back makes a lock seem to come from the future; it is no younger for that. */
async function isStale(lock: string): Promise<boolean> {
  return lstat(lock).then(
    ({ mtimeMs }) => Math.abs(Date.now() - mtimeMs) > STALE_MS,
    () => false,
  );
}
