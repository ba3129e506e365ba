// Brings files back from a container in bounded memory and time, and never follows a link.
import type Docker from 'dockerode';
import type { Header } from 'tar-stream';
import { BoundedBuffer } from '../bounded.ts';
import { CollectionBudget, nestedPaths, type Collection } from '../collection.ts';
import type { CollectedFile } from '../evidence.ts';
import type { RunPlan } from '../plan.ts';
import { readArchive, type ArchiveEntry, type PathArchive } from './archive.ts';

const MOST_STREAMED_BYTES = 4 * 1024 ** 3;
const MOST_ENTRIES = 200_000;

/**
 * Collects each path of the plan: a directory with all below it, or a single file. A path that does not exist is no
 * error. Files that the plan names themselves are brought back even when the directory they are in had to be cut.
 */
export async function collect(
  container: Docker.Container,
  plan: Pick<RunPlan, 'collected' | 'limits'>,
  signal: AbortSignal,
): Promise<Collection> {
  const collector = new Collector(container, plan, signal);
  const nested = nestedPaths(plan.collected);
  for (const path of plan.collected) if (!nested.has(path)) await collector.take(path);
  if (collector.streamCut) {
    for (const path of nested) if (!collector.has(path)) await collector.take(path);
  }
  return collector.budget;
}

class Collector {
  readonly budget: CollectionBudget;
  /** Whether an archive was left before its end, so that there may be more. */
  streamCut = false;
  readonly #container: Docker.Container;
  readonly #named: ReadonlySet<string>;
  readonly #signal: AbortSignal;
  readonly #byPath = new Map<string, CollectedFile>();
  #streamed = 0;
  #entries = 0;

  constructor(container: Docker.Container, plan: Pick<RunPlan, 'collected' | 'limits'>, signal: AbortSignal) {
    this.#container = container;
    this.budget = new CollectionBudget(plan.limits);
    this.#named = new Set(plan.collected);
    this.#signal = signal;
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  async take(root: string): Promise<void> {
    await readArchive(
      this.#container,
      root,
      async (archive) => this.#takeArchive(root, archive),
      this.#signal,
    );
  }

  async #takeArchive(root: string, { linkTarget, entries }: PathArchive): Promise<void> {
    if (linkTarget !== undefined) return this.#noteLink(root, linkTarget);
    for await (const entry of entries) {
      if (this.#isTooMuch(entry.header)) return this.#noteUnread(root, entry.header);
      await this.#takeEntry(pathOf(root, entry.header.name), root, entry);
    }
  }

  #isTooMuch(header: Header): boolean {
    this.#streamed += header.size;
    this.#entries++;
    return this.#streamed > MOST_STREAMED_BYTES || this.#entries > MOST_ENTRIES;
  }

  #noteUnread(root: string, header: Header): void {
    this.streamCut = true;
    this.budget.cut = true;
    this.#streamed -= header.size;
    this.budget.note(
      'collection-cut',
      `${root} holds more than can be brought back; reading it stopped at ${header.name}.`,
    );
  }

  async #takeEntry(path: `/${string}`, root: string, entry: ArchiveEntry): Promise<void> {
    const { type, linkname, size } = entry.header;
    if (type === 'link') this.#takeHardLink(path, pathOf(root, linkname));
    if (type === 'symlink') this.#noteLink(path, linkname ?? '');
    if (type !== 'file' && type !== 'contiguous-file') return drain(entry);
    const named = this.#named.has(path);
    if (!named && this.budget.isFull) {
      this.budget.cut = true;
      return drain(entry);
    }
    const kept = BoundedBuffer.ofTotal(this.budget.take(size, named));
    for await (const chunk of entry) if (chunk instanceof Uint8Array) kept.push(chunk);
    this.#add({ path, ...kept.toContent() });
  }

  /** Another name of a file that came before in the same archive. */
  #takeHardLink(path: `/${string}`, target: string): void {
    const original = this.#byPath.get(target);
    if (!original || this.budget.isFull) {
      this.budget.cut = true;
      return;
    }
    this.#add({ ...original, path });
  }

  #add(file: CollectedFile): void {
    this.budget.files.push(file);
    this.#byPath.set(file.path, file);
  }

  #noteLink(path: string, target: string): void {
    this.budget.note('link-not-followed', `${path} is a symbolic link to ${target}; it was not followed.`);
  }
}

async function drain(entry: ArchiveEntry): Promise<void> {
  for await (const _ of entry) continue;
}

/** An archive's names start with the last name of its root. */
function pathOf(root: string, name: string): `/${string}` {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const below = parts.slice(1).join('/');
  const base = root.replace(/^\/+|\/+$/g, '');
  return below === '' ? `/${base}` : `/${base}/${below}`;
}
