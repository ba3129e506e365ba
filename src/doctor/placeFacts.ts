/** Reads free space and access of host folders, including folders that do not exist yet. */
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PlaceFact } from './setupFacts.ts';

/** A folder that this user writes to; when it does not exist, its nearest parent is checked. */
export async function userPlaceFact(what: PlaceFact['what'], path: string): Promise<PlaceFact> {
  const there = await nearestExisting(path);
  const isFolder = (await stat(there).catch(() => undefined))?.isDirectory() ?? false;
  const writable = isFolder && (await mayWrite(there));
  return { what, path, writable, freeBytes: await freeBytes(there) };
}

/** A folder of the engine, which may lie on another machine or in a virtual one. */
export async function enginePlaceFact(path: string): Promise<PlaceFact> {
  return { what: 'engine', path, writable: undefined, freeBytes: await freeBytes(path) };
}

async function nearestExisting(path: string): Promise<string> {
  for (let current = path; ; current = dirname(current)) {
    const isThere = await stat(current).then(
      () => true,
      () => false,
    );
    if (isThere || current === dirname(current)) return current;
  }
}

async function mayWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Bytes that this user may still fill. */
async function freeBytes(path: string): Promise<number | undefined> {
  return statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
}
