/**
 * A download that is not complete: `blobs/<hash>.repair-bench.incomplete`, which the next one continues. While a process
 * writes to it, it has a name of that process's own, so that two never write to the same file. The other clients
 * name theirs differently and are left alone.
 *
 * Whether such a process still lives is told by the age of its file alone: it may run in another container or on
 * another machine, where its number says nothing.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

const KEPT = '.repair-bench.incomplete';
const CLAIMED = /^\.repair-bench-\d+-[0-9a-f]{8}\.incomplete$/;
/** Milliseconds without a write; a live download has long given up by then. */
const ABANDONED_MS = 10 * 60_000;

export interface PartialFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Bytes that were there already. */
  readonly bytes: number;
}

/** Takes over what an earlier download left of the blob `name`, or begins a new one. The caller ends it. */
export async function claimPartial(folder: string, name: string): Promise<PartialFile> {
  const path = join(
    folder,
    `${name}.repair-bench-${process.pid}-${randomBytes(4).toString('hex')}.incomplete`,
  );
  for (const left of [name + KEPT, ...(await abandoned(folder, name))]) {
    try {
      // Young before it has the name of a living process, so that nobody takes it over from us.
      await utimes(join(folder, left), new Date(), new Date());
      await rename(join(folder, left), path);
      break;
    } catch {
      // There is none, or another process was quicker.
    }
  }
  const handle = await open(path, 'r+').catch(() => open(path, 'w+'));
  return { path, handle, bytes: (await handle.stat()).size };
}

/** Leaves what has arrived to the next download; an empty file is of no use to it. */
export async function keepPartial(
  { path, handle }: PartialFile,
  folder: string,
  name: string,
): Promise<void> {
  // It may be closed already, by an attempt to finish it.
  await handle.close();
  const { size } = await stat(path);
  if (size === 0) await rm(path, { force: true });
  else await rename(path, join(folder, name + KEPT));
}

/** Makes the complete file the blob; it is on the disk before it has the name. */
export async function finishPartial(
  { path, handle }: PartialFile,
  folder: string,
  name: string,
): Promise<string> {
  await handle.sync();
  await handle.close();
  const blob = join(folder, name);
  await rename(path, blob);
  return blob;
}

export async function dropPartial({ path, handle }: PartialFile): Promise<void> {
  await handle.close();
  await rm(path, { force: true });
}

/** Files of processes that were killed and could not give them back. */
async function abandoned(folder: string, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const each of await readdir(folder)) {
    if (!each.startsWith(name) || !CLAIMED.test(each.slice(name.length))) continue;
    const stats = await stat(join(folder, each)).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS) found.push(each);
  }
  return found;
}
