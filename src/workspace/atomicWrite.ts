/** Writes files so that a reader, and whoever looks after a crash, finds the old bytes or the new ones, never a part. */
import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileSystemError, systemCode } from './workspaceError.ts';

/** Puts `bytes` in place of `file`. @throws WorkspaceError when that is not possible; `file` is then as it was. */
export async function writeAtomically(file: string, bytes: Uint8Array | string): Promise<void> {
  await written(file, bytes, (temporary) => rename(temporary, file));
}

/** The same for a file that nobody has made yet. False when somebody has. @throws WorkspaceError */
export async function createAtomically(file: string, bytes: Uint8Array | string): Promise<boolean> {
  let created = true;
  await written(file, bytes, async (temporary) => {
    try {
      // Unlike a rename, this never replaces what is there.
      await link(temporary, file);
      await rm(temporary);
    } catch (error) {
      if (systemCode(error) === 'EEXIST') {
        created = false;
        await rm(temporary);
      } else if (NO_LINKS.has(systemCode(error) ?? '')) await rename(temporary, file);
      else throw error;
    }
  });
  return created;
}

/** What file systems say that know no second name for a file. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function written(
  file: string,
  bytes: Uint8Array | string,
  put: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(file);
  const temporary = join(folder, `.${basename(file).slice(0, 60)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeDurably(temporary, bytes);
    await put(temporary);
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
