// Brings a run's files back in bounded memory and time. Regular files only; no link is ever followed.
import type { Stats } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { BoundedBuffer, type BoundedContent } from '../bounded.ts';
import type { CollectedFile, Evidence } from '../evidence.ts';
import type { RunPlan } from '../plan.ts';
import { ConfinedPathError, hasCode, type ConfinedRoot } from './confinedRoot.ts';

export interface Collection {
  readonly files: CollectedFile[];
  cut: boolean;
  readonly notes: Evidence['notes'];
}

const MOST_ENTRIES = 200_000;
const MOST_DEPTH = 100;
const MOST_NOTES = 10;
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
  const isNested = (path: string): boolean => paths.some((other) => path.startsWith(`${other}/`));
  for (const path of [...paths.filter(isNested), ...paths.filter((other) => !isNested(other))]) {
    await collector.take(path, isNested(path));
  }
  return collector.result;
}

interface Folder {
  readonly hostPath: Buffer;
  readonly containerPath: `/${string}`;
  readonly depth: number;
}

class Collector {
  readonly result: Collection = { files: [], cut: false, notes: [] };
  readonly #root: ConfinedRoot;
  readonly #limits: RunPlan['limits'];
  readonly #taken = new Set<string>();
  #bytesLeft: number;
  #entries = 0;

  constructor(root: ConfinedRoot, limits: RunPlan['limits']) {
    this.#root = root;
    this.#limits = limits;
    this.#bytesLeft = limits.collectedTotalBytes;
  }

  async take(path: `/${string}`, isNamed: boolean): Promise<void> {
    const located = await this.#root.locate(path, 'itself').catch((error: unknown) => {
      if (error instanceof ConfinedPathError) {
        this.#note('not-collected', error.message);
        return undefined;
      }
      throw error;
    });
    if (located?.stats === undefined) return;
    const hostPath = Buffer.from(located.hostPath);
    if (located.stats.isDirectory()) return this.#takeTree({ hostPath, containerPath: path, depth: 0 });
    await this.#takeEntry(hostPath, path, located.stats, isNamed);
  }

  /** Files of a folder before the folders in it, each in the order of their names. */
  async #takeTree(top: Folder): Promise<void> {
    const pending = [top];
    for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
      for (const name of await this.#namesIn(folder)) {
        if (++this.#entries > MOST_ENTRIES || this.#isFull()) {
          this.result.cut = true;
          return;
        }
        const hostPath = Buffer.concat([folder.hostPath, SLASH, name]);
        // Bytes that are no UTF-8 show as U+FFFD: a path in the evidence is text.
        const containerPath: `/${string}` = `${folder.containerPath}/${name.toString('utf8')}`;
        const stats = await this.#unlessTooLong(() => lstat(hostPath));
        if (stats === undefined) continue;
        if (!stats.isDirectory()) await this.#takeEntry(hostPath, containerPath, stats, false);
        else if (folder.depth < MOST_DEPTH)
          pending.push({ hostPath, containerPath, depth: folder.depth + 1 });
        else this.result.cut = true;
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
      this.result.cut = true;
      return undefined;
    }
  }

  async #takeEntry(hostPath: Buffer, path: `/${string}`, stats: Stats, isNamed: boolean): Promise<void> {
    if (stats.isSymbolicLink()) {
      this.#note('link-not-followed', `${path} is a symbolic link; it was not followed.`);
    }
    if (!stats.isFile() || this.#taken.has(path)) return;
    const file = await this.#root.openRegular(hostPath);
    if (file === undefined) return;
    try {
      const size = (await file.stat()).size;
      const room = Math.min(this.#limits.collectedFileBytes, isNamed ? Infinity : this.#bytesLeft);
      if (room < Math.min(size, this.#limits.collectedFileBytes)) this.result.cut = true;
      const kept = await readBounded(file, size, Math.min(room, size));
      this.#bytesLeft = Math.max(0, this.#bytesLeft - Math.min(room, size));
      this.#taken.add(path);
      this.result.files.push({ path, ...kept });
    } finally {
      await file.close();
    }
  }

  #isFull(): boolean {
    return this.result.files.length >= this.#limits.collectedFiles;
  }

  #note(code: string, message: string): void {
    if (this.result.notes.length < MOST_NOTES) this.result.notes.push({ code, message });
  }

  /** A folder that its own owner may not list is still the owner's: he gives himself the right. */
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
