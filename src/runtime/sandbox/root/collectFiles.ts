/** Collects a run's files in bounded memory and time. Regular files only; no link is followed. */
import type { Stats } from 'node:fs';
import { chmod, type FileHandle, lstat, readdir } from 'node:fs/promises';
import { BoundedBuffer, type BoundedContent } from '../../bounded.ts';
import { CollectionBudget, nestedPaths, type Collection } from '../../collection.ts';
import type { RunPlan } from '../../plan.ts';
import type { ContainerPath } from '../../schemas.ts';
import { ConfinedPathError, type ConfinedRoot } from './confinedRoot.ts';
import { hasCode } from '../host/errno.ts';

const MOST_ENTRIES = 200_000;
const MOST_DEPTH = 100;
const CHUNK_BYTES = 256 * 1024;
const OWNER_ALL = 0o700;
const SLASH = Buffer.from('/');

/**
 * Collects each path of the plan: a folder with all below it, or a single file. A path that does not exist is no
 * error. Files that the plan names themselves come first, so that no number of others can push them out.
 */
export async function collectFiles(
  root: ConfinedRoot,
  plan: Pick<RunPlan, 'collected' | 'limits'>,
): Promise<Collection> {
  const collector = new Collector(root, plan.limits);
  const paths = [...new Set(plan.collected)];
  const nested = nestedPaths(paths);
  for (const path of paths) if (nested.has(path)) await collector.collect(path, true);
  for (const path of paths) if (!nested.has(path)) await collector.collect(path, false);
  return collector.budget;
}

interface Folder {
  readonly hostPath: Buffer;
  readonly containerPath: ContainerPath;
  readonly depth: number;
}

class Collector {
  readonly budget: CollectionBudget;
  readonly #root: ConfinedRoot;
  readonly #collected = new Set<string>();
  #entries = 0;

  constructor(root: ConfinedRoot, limits: RunPlan['limits']) {
    this.#root = root;
    this.budget = new CollectionBudget(limits);
  }

  async collect(path: ContainerPath, isNamed: boolean): Promise<void> {
    const located = await this.#root.locate(path, 'itself').catch((error: unknown) => {
      if (error instanceof ConfinedPathError) {
        this.budget.addWarning('not-collected', error.message);
        return undefined;
      }
      throw error;
    });
    if (located?.stats === undefined) return;
    const hostPath = Buffer.from(located.hostPath);
    if (located.stats.isDirectory()) return this.#collectTree({ hostPath, containerPath: path, depth: 0 });
    await this.#collectEntry(hostPath, path, located.stats, isNamed);
  }

  /** Files of a folder before the folders in it, each in the order of their names. */
  async #collectTree(top: Folder): Promise<void> {
    const pending = [top];
    for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
      for (const name of await this.#namesIn(folder)) {
        if (++this.#entries > MOST_ENTRIES || this.budget.isFull) {
          this.budget.cut = true;
          return;
        }
        const hostPath = Buffer.concat([folder.hostPath, SLASH, name]);
        // Bytes that are no UTF-8 show as U+FFFD: a path in the evidence is text.
        const containerPath: ContainerPath = `${folder.containerPath}/${name.toString('utf8')}`;
        const stats = await this.#unlessTooLong(() => lstat(hostPath));
        if (stats === undefined) continue;
        if (!stats.isDirectory()) await this.#collectEntry(hostPath, containerPath, stats, false);
        else if (folder.depth < MOST_DEPTH)
          pending.push({ hostPath, containerPath, depth: folder.depth + 1 });
        else this.budget.cut = true;
      }
    }
  }

  async #namesIn(folder: Folder): Promise<Buffer[]> {
    const read = (): Promise<Buffer[]> => readdir(folder.hostPath, { encoding: 'buffer' });
    const names = await this.#unlessTooLong(() => this.#withAccess(folder.hostPath, read));
    return (names ?? []).sort(Buffer.compare);
  }

  /** Folders can be nested deeper than a path can say; what is down there stays there. */
  async #unlessTooLong<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      if (!hasCode(error, 'ENAMETOOLONG')) throw error;
      this.budget.cut = true;
      return undefined;
    }
  }

  async #collectEntry(hostPath: Buffer, path: ContainerPath, stats: Stats, isNamed: boolean): Promise<void> {
    if (stats.isSymbolicLink()) {
      this.budget.addWarning('link-not-followed', `${path} is a symbolic link; it was not followed.`);
    }
    if (!stats.isFile() || this.#collected.has(path)) return;
    const file = await this.#root.openRegular(hostPath);
    if (file === undefined) return;
    try {
      const size = (await file.stat()).size;
      const kept = await readBounded(file, size, this.budget.spend(size, isNamed));
      this.#collected.add(path);
      this.budget.files.push({ path, ...kept });
    } finally {
      await file.close();
    }
  }

  /** Retries with full rights for the owner on a folder that the owner may not list. */
  async #withAccess<T>(folder: Buffer, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (!hasCode(error, 'EACCES')) throw error;
      await chmod(folder, OWNER_ALL);
      return action();
    }
  }
}

/** The first and last part of a file, without reading what is between: a sparse file can claim any size. */
async function readBounded(file: FileHandle, size: number, keptBytes: number): Promise<BoundedContent> {
  const kept = BoundedBuffer.ofTotal(keptBytes);
  if (size <= keptBytes) {
    await pushRange(file, 0, size, kept);
    return kept.toContent();
  }
  const tailBytes = Math.floor(keptBytes / 2);
  const headBytes = keptBytes - tailBytes;
  await pushRange(file, 0, headBytes, kept);
  // One byte more than fits makes the buffer treat the rest as a tail.
  const tailStart = Math.max(headBytes, size - tailBytes - 1);
  await pushRange(file, tailStart, size, kept);
  const content = kept.toContent();
  return { ...content, size, omitted: content.omitted + (tailStart - headBytes) };
}

async function pushRange(file: FileHandle, start: number, end: number, into: BoundedBuffer): Promise<void> {
  const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, Math.max(0, end - start)));
  for (let position = start; position < end;) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, end - position), position);
    if (bytesRead === 0) return;
    into.push(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}
