// Brings files back from a container in bounded memory and time, and never follows a link.
import type Docker from 'dockerode';
import { extract, type Header } from 'tar-stream';
import { BoundedBuffer } from '../bounded.ts';
import type { CollectedFile, Evidence } from '../evidence.ts';
import type { RunPlan } from '../plan.ts';
import { statusOf } from './failures.ts';
import { destroy } from './upload.ts';

/** What was brought back of one run. */
export interface Collection {
  readonly files: CollectedFile[];
  cut: boolean;
  readonly notes: Evidence['notes'];
}

type ArchiveEntry = AsyncIterable<unknown> & { readonly header: Header };

const MOST_STREAMED_BYTES = 4 * 1024 ** 3;
const MOST_ENTRIES = 200_000;
const MOST_NOTES = 10;

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
  const nested = (path: string): boolean => plan.collected.some((other) => path.startsWith(`${other}/`));
  for (const path of plan.collected.filter((candidate) => !nested(candidate))) await collector.take(path);
  if (collector.streamCut) {
    for (const path of plan.collected.filter(nested)) {
      if (!collector.has(path)) await collector.take(path);
    }
  }
  return collector.result;
}

class Collector {
  readonly result: Collection = { files: [], cut: false, notes: [] };
  /** Whether an archive was left before its end, so that there may be more. */
  streamCut = false;
  readonly #container: Docker.Container;
  readonly #limits: RunPlan['limits'];
  readonly #named: ReadonlySet<string>;
  readonly #signal: AbortSignal;
  readonly #byPath = new Map<string, CollectedFile>();
  #bytesLeft: number;
  #streamed = 0;
  #entries = 0;

  constructor(container: Docker.Container, plan: Pick<RunPlan, 'collected' | 'limits'>, signal: AbortSignal) {
    this.#container = container;
    this.#limits = plan.limits;
    this.#named = new Set(plan.collected);
    this.#signal = signal;
    this.#bytesLeft = plan.limits.collectedTotalBytes;
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  async take(root: string): Promise<void> {
    const stream = await this.#container
      .getArchive({ path: root, abortSignal: this.#signal })
      .catch((error: unknown) => {
        if (statusOf(error) === 404) return undefined;
        throw error;
      });
    if (!stream) return;
    const reader = extract();
    stream.on('error', (error: Error) => reader.destroy(error));
    stream.pipe(reader);
    try {
      for await (const entry of reader) {
        if (this.#isTooMuch(entry.header)) {
          this.#noteUnread(root, entry.header);
          return;
        }
        await this.#takeEntry(pathOf(root, entry.header.name), root, entry);
      }
    } finally {
      stream.unpipe(reader);
      destroy(stream);
      reader.destroy();
    }
  }

  #isTooMuch(header: Header): boolean {
    this.#streamed += header.size;
    this.#entries++;
    return this.#streamed > MOST_STREAMED_BYTES || this.#entries > MOST_ENTRIES;
  }

  #noteUnread(root: string, header: Header): void {
    this.streamCut = true;
    this.result.cut = true;
    this.#streamed -= header.size;
    this.#note(
      'collection-cut',
      `${root} holds more than can be brought back; reading it stopped at ${header.name}.`,
    );
  }

  async #takeEntry(path: `/${string}`, root: string, entry: ArchiveEntry): Promise<void> {
    const { type, linkname, size } = entry.header;
    if (type === 'link') this.#takeHardLink(path, pathOf(root, linkname));
    if (type === 'symlink') {
      this.#note('link-not-followed', `${path} is a symbolic link to ${linkname}; it was not followed.`);
    }
    if (type !== 'file' && type !== 'contiguous-file') return drain(entry);
    const named = this.#named.has(path);
    if (!named && this.result.files.length >= this.#limits.collectedFiles) {
      this.result.cut = true;
      return drain(entry);
    }
    const room = Math.min(this.#limits.collectedFileBytes, named ? Infinity : this.#bytesLeft);
    if (room < Math.min(size, this.#limits.collectedFileBytes)) this.result.cut = true;
    const kept = BoundedBuffer.ofTotal(Math.min(room, size));
    for await (const chunk of entry) if (chunk instanceof Uint8Array) kept.push(chunk);
    this.#bytesLeft = Math.max(0, this.#bytesLeft - Math.min(room, size));
    this.#add({ path, ...kept.toContent() });
  }

  /** Another name of a file that came before in the same archive. */
  #takeHardLink(path: `/${string}`, target: string): void {
    const original = this.#byPath.get(target);
    if (!original || this.result.files.length >= this.#limits.collectedFiles) {
      this.result.cut = true;
      return;
    }
    this.#add({ ...original, path });
  }

  #add(file: CollectedFile): void {
    this.result.files.push(file);
    this.#byPath.set(file.path, file);
  }

  #note(code: string, message: string): void {
    if (this.result.notes.length < MOST_NOTES) this.result.notes.push({ code, message });
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
