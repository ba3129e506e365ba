/** Packs planned files into one archive, with owner and mode of the files that they replace. */
import { buffer } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { pack, type Header } from 'tar-stream';
import type { PlannedFile } from '../../plan.ts';
import { readArchive, type PathArchive } from './archive.ts';

/** Owner and mode of a file, and where it really is when its path is a symbolic link. */
export interface FileIdentity {
  readonly path: string;
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

const ROOT = { uid: 0, gid: 0 };
const OPEN_TO_ALL = 0o777;
const MOST_LINKS = 8;
const PARALLEL_LOOKUPS = 8;

/**
 * Packs directories (open to all) and files for the container's root. Names of parents are left out, as an entry for
 * a directory would replace a symbolic link of that name in the image.
 */
export async function packFiles(
  emptied: readonly string[],
  files: readonly PlannedFile[],
  kept: ReadonlyMap<string, FileIdentity | undefined>,
): Promise<Buffer> {
  const archive = pack();
  const mtime = new Date();
  const packed = buffer(archive);
  for (const path of emptied) {
    archive.entry({ name: `${relative(path)}/`, type: 'directory', mode: OPEN_TO_ALL, mtime, ...ROOT });
  }
  for (const file of files) {
    const replaced = file.owner === 'keep' ? kept.get(file.path) : undefined;
    const identity = replaced ?? { path: file.path, mode: file.mode, ...ROOT };
    const { uid, gid, mode } = identity;
    archive.entry(
      { name: relative(identity.path), mode, uid, gid, mtime },
      Buffer.from(file.base64, 'base64'),
    );
  }
  archive.finalize();
  return packed;
}

/** Looks up, in a container, the files that `keep` their owner. */
export async function readIdentities(
  container: Docker.Container,
  paths: readonly string[],
): Promise<Map<string, FileIdentity | undefined>> {
  const found = new Map<string, FileIdentity | undefined>();
  const queue = [...paths];
  const worker = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      found.set(path, await readIdentity(container, path));
    }
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL_LOOKUPS, queue.length) }, worker));
  return found;
}

async function readIdentity(container: Docker.Container, path: string): Promise<FileIdentity | undefined> {
  let current = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const found = await readArchive(container, current, async ({ linkTarget, entries }) =>
      linkTarget === undefined ? { header: await firstHeader(entries) } : { linkTarget },
    );
    if (found?.linkTarget !== undefined) {
      current = found.linkTarget;
      continue;
    }
    const header = found?.header;
    if (header?.type !== 'file') return undefined;
    return { path: current, uid: header.uid, gid: header.gid, mode: header.mode & 0o7777 };
  }
  return undefined;
}

/** The header of the path itself: what comes with an archive does not name the owner. */
async function firstHeader(entries: PathArchive['entries']): Promise<Header | undefined> {
  for await (const { header } of entries) return header;
  return undefined;
}

/** Whether a path has content that emptying it would remove. */
export async function hasContent(container: Docker.Container, path: string): Promise<boolean> {
  const found = await readArchive(container, path, async ({ linkTarget, entries }) => {
    if (linkTarget !== undefined) return true;
    let count = 0;
    for await (const entry of entries) {
      if (++count > 1 || entry.header.type !== 'directory') return true;
      entry.resume();
    }
    return false;
  });
  return found ?? false;
}

function relative(path: string): string {
  return path.replace(/^\/+/, '').replace(/\/+$/, '');
}

/** Paths of the files that keep the owner of what they replace. */
export function keptPaths(files: readonly PlannedFile[]): string[] {
  return files.filter(({ owner }) => owner === 'keep').map(({ path }) => path);
}
