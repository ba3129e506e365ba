/** Puts a gold fix on the disk as a whole: a reader finds the old one, the new one or none, never a mixture. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TaskFile } from '../task/task.ts';
import { syncFolder, writeDurably } from '../workspace/atomicWrite.ts';
import { fileSystemError, systemCode } from '../workspace/workspaceError.ts';
import { GoldError } from './goldError.ts';
import { isGoldFix, readGoldFix } from './goldFix.ts';
import { isAsSaved } from './inspect.ts';

/** What lies where a gold fix is about to go. */
export type Occupant =
  | { readonly kind: 'nothing' }
  /** As it was saved, for the solution with this hash. */
  | { readonly kind: 'gold-fix'; readonly solution: string }
  /** A gold fix that was edited or damaged since. */
  | { readonly kind: 'edited' }
  | { readonly kind: 'something-else' };

/** @throws WorkspaceError when it cannot be looked at */
export async function occupantOf(folder: string): Promise<Occupant> {
  try {
    const facts = await lstat(folder);
    if (!facts.isDirectory()) return { kind: 'something-else' };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { kind: 'nothing' };
    throw fileSystemError(error, folder, 'read');
  }
  if (!(await isGoldFix(folder))) return { kind: 'something-else' };
  const goldFix = await readGoldFix(folder).catch((error: unknown) => {
    if (error instanceof GoldError) return undefined;
    throw error;
  });
  if (!goldFix) return { kind: 'edited' };
  return isAsSaved(goldFix)
    ? { kind: 'gold-fix', solution: goldFix.record.solution.hash }
    : { kind: 'edited' };
}

/** Writes `files` as the folder `folder`, in place of the gold fix there. @throws WorkspaceError; it is then as it was. */
export async function writeFolder(folder: string, files: Iterable<TaskFile>): Promise<void> {
  const beside = (what: string) =>
    join(dirname(folder), `.${basename(folder)}.${randomBytes(6).toString('hex')}.${what}`);
  const unfinished = beside('tmp');
  const old = beside('old');
  try {
    await mkdir(unfinished);
    for (const { path, bytes, mode } of files) {
      const file = join(unfinished, ...path.split('/'));
      await mkdir(dirname(file), { recursive: true });
      await writeDurably(file, bytes, mode);
    }
    await syncFolder(unfinished);
    const replaced = await moved(folder, old);
    await rename(unfinished, folder).catch(async (error: unknown) => {
      if (replaced) await rename(old, folder);
      throw error;
    });
    await syncFolder(dirname(folder));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw fileSystemError(error, folder, 'written');
  }
  await rm(old, { recursive: true, force: true }).catch(() => undefined);
}

/** False when there was nothing to move. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
