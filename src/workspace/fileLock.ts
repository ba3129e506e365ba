/** One writer at a time for a file that several windows and the command line read, change and write back. */
import { lstat, open, rm } from 'node:fs/promises';
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
  await take(lock, file);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true }).catch(() => undefined);
  }
}

async function take(lock: string, file: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    try {
      await (await open(lock, 'wx')).close();
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
