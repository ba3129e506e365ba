/** Collects files from a container in bounded memory and time; never follows a link. */
import type Docker from 'dockerode';
import { extract, type Header } from 'tar-stream';
import { BoundedBuffer } from '../../bounded.ts';
import { CollectionBudget, nestedPaths, type Collection } from '../../collection.ts';
import type { CollectedFile } from '../../evidence.ts';
import type { RunPlan } from '../../plan.ts';
import type { ContainerPath } from '../../schemas.ts';
import { readArchive, type ArchiveEntry, type PathArchive } from './archive.ts';

const MOST_STREAMED_BYTES = 4 * 1024 ** 3;
const MOST_ENTRIES = 200_000;

/** The container path of a name in an archive. */
type PathAt = (name: string) => ContainerPath;

/**
 * Collects each path of the plan: a directory with all below it, or a single file. A path that does not exist is no
 * error. Files that the plan names themselves are brought back even when the directory they are in had to be cut.
 */
export async function collect(
  container: Docker.Container,
  plan: Pick<RunPlan, 'collected' | 'limits'>,
  signal: AbortSignal,
): Promise<Collection> {
  const collector = new Collector(plan);
  const nested = nestedPaths(plan.collected);
  const collectPath = async (path: string): Promise<void> => {
    await readArchive(container, path, async (archive) => collector.addArchive(path, archive), signal);
  };
  for (const path of plan.collected) if (!nested.has(path)) await collectPath(path);
  if (collector.streamCut) {
    for (const path of nested) if (!collector.has(path)) await collectPath(path);
  }
  return collector.budget;
}

/**
 * Collects from a parcel, an archive that the container printed by itself, with names from the root.
 * Undefined when the archive cannot be read or exceeds the limits: then the container must be asked.
 */
export async function unpackParcel(
  archive: Buffer,
  plan: Pick<RunPlan, 'collected' | 'limits'>,
): Promise<Collection | undefined> {
  const collector = new Collector(plan);
  const entries = extract();
  entries.end(archive);
  try {
    await collector.addEntries(entries, '/', (name) => pathIn(plan.collected, name));
  } catch {
    return undefined;
  }
  return collector.budget.cut ? undefined : collector.budget;
}

/** @throws Error when the name is of no path that was asked for: whatever printed the archive, it was not our `tar`. */
function pathIn(collected: readonly string[], name: string): ContainerPath {
  const parts = partsOf(name);
  const path = `/${parts.join('/')}` as const;
  if (parts.includes('..') || !collected.some((root) => `${path}/`.startsWith(`${root}/`)))
    throw new Error(`${name} was not asked for`);
  return path;
}

class Collector {
  readonly budget: CollectionBudget;
  /** Whether an archive was left before its end, so that there may be more. */
  streamCut = false;
  readonly #named: ReadonlySet<string>;
  readonly #byPath = new Map<string, CollectedFile>();
  #streamed = 0;
  #entries = 0;

  constructor(plan: Pick<RunPlan, 'collected' | 'limits'>) {
    this.budget = new CollectionBudget(plan.limits);
    this.#named = new Set(plan.collected);
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  async addArchive(root: string, { linkTarget, entries }: PathArchive): Promise<void> {
    if (linkTarget !== undefined) return this.#warnOfLink(root, linkTarget);
    await this.addEntries(entries, root, (name) => pathOf(root, name));
  }

  async addEntries(entries: PathArchive['entries'], root: string, pathAt: PathAt): Promise<void> {
    for await (const entry of entries) {
      if (this.#isTooMuch(entry.header)) return this.#warnOfUnread(root, entry.header);
      await this.#addEntry(pathAt, entry);
    }
  }

  #isTooMuch(header: Header): boolean {
    this.#streamed += header.size;
    this.#entries++;
    return this.#streamed > MOST_STREAMED_BYTES || this.#entries > MOST_ENTRIES;
  }

  #warnOfUnread(root: string, header: Header): void {
    this.streamCut = true;
    this.budget.cut = true;
    this.#streamed -= header.size;
    this.budget.addWarning(
      'collection-cut',
      `${root} holds more than can be brought back; reading it stopped at ${header.name}.`,
    );
  }

  async #addEntry(pathAt: PathAt, entry: ArchiveEntry): Promise<void> {
    const { type, name, linkname, size } = entry.header;
    const path = pathAt(name);
    if (type === 'link') this.#addHardLink(path, pathAt(linkname ?? ''));
    if (type === 'symlink') this.#warnOfLink(path, linkname ?? '');
    if (type !== 'file' && type !== 'contiguous-file') return drain(entry);
    const named = this.#named.has(path);
    if (!named && this.budget.isFull) {
      this.budget.cut = true;
      return drain(entry);
    }
    const kept = BoundedBuffer.ofTotal(this.budget.spend(size, named));
    for await (const chunk of entry) if (chunk instanceof Uint8Array) kept.push(chunk);
    this.#add({ path, ...kept.toContent() });
  }

  /** Another name of a file that came before in the same archive. */
  #addHardLink(path: ContainerPath, target: string): void {
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

  #warnOfLink(path: string, target: string): void {
    this.budget.addWarning(
      'link-not-followed',
      `${path} is a symbolic link to ${target}; it was not followed.`,
    );
  }
}

async function drain(entry: ArchiveEntry): Promise<void> {
  for await (const _ of entry) continue;
}

/** An archive's names start with the last name of its root. */
function pathOf(root: string, name: string): ContainerPath {
  const below = partsOf(name).slice(1).join('/');
  const base = root.replace(/^\/+|\/+$/g, '');
  return below === '' ? `/${base}` : `/${base}/${below}`;
}

function partsOf(name: string): string[] {
  return name.split('/').filter((part) => part !== '' && part !== '.');
}
