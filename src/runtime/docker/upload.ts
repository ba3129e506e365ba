// Planned files as one archive, and the owner and mode of the files that they replace.
import { buffer } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { extract, pack, type Header } from 'tar-stream';
import type { PlannedFile } from '../plan.ts';
import { statusOf } from './failures.ts';

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
    const header = await firstHeader(container, current);
    if (header?.type === 'symlink' && header.linkname) {
      current = resolveFrom(current, header.linkname);
      continue;
    }
    if (header?.type !== 'file') return undefined;
    return { path: current, uid: header.uid, gid: header.gid, mode: header.mode & 0o7777 };
  }
  return undefined;
}

/** The header of the path itself: the status header that comes with an archive does not name the owner. */
async function firstHeader(container: Docker.Container, path: string): Promise<Header | undefined> {
  for await (const header of headersOf(container, path)) return header;
  return undefined;
}

/** Whether a path holds anything that emptying it would take away. */
export async function hasContent(container: Docker.Container, path: string): Promise<boolean> {
  let entries = 0;
  for await (const header of headersOf(container, path)) {
    if (++entries > 1 || header.type !== 'directory') return true;
  }
  return false;
}

async function* headersOf(container: Docker.Container, path: string): AsyncGenerator<Header> {
  const stream = await container.getArchive({ path }).catch((error: unknown) => {
    if (statusOf(error) === 404) return undefined;
    throw error;
  });
  if (!stream) return;
  const reader = extract();
  stream.on('error', (error: Error) => reader.destroy(error));
  stream.pipe(reader);
  try {
    for await (const entry of reader) {
      yield entry.header;
      entry.resume();
    }
  } finally {
    stream.unpipe(reader);
    destroy(stream);
    reader.destroy();
  }
}

/** Ends the request that a stream belongs to. */
export function destroy(stream: NodeJS.ReadableStream): void {
  if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
}

function resolveFrom(link: string, target: string): string {
  const start = target.startsWith('/') ? [] : link.split('/').slice(0, -1);
  const parts: string[] = [];
  for (const part of [...start, ...target.split('/')]) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function relative(path: string): string {
  return path.replace(/^\/+/, '').replace(/\/+$/, '');
}
