/** Writes files so that a reader, and whoever looks after a crash, finds the old bytes or the new ones, never a part. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileSystemError } from './workspaceError.ts';

/** Puts `bytes` in place of `file`. @throws WorkspaceError when that is not possible; `file` is then as it was. */
export async function writeAtomically(file: string, bytes: Uint8Array | string): Promise<void> {
  const folder = dirname(file);
  const temporary = join(folder, `.${basename(file).slice(0, 60)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeDurably(temporary, bytes);
    await rename(temporary, file);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileSystemError(error, file, 'written');
  }
}

/** Writes a file that is not there yet and waits until it is on the disk. Throws Node's own error. */
export async function writeDurably(file: string, bytes: Uint8Array | string, mode = 0o644): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a folder durable too; Windows has no such call, and its file systems need none. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Not every file system can; the rename itself stays atomic.
  } finally {
    await handle?.close();
  }
}
