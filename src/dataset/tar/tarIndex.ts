/** Indexes a tar by reading its headers and passing over the data: names, and where each member is. */
import type { ByteSource } from '../byteSource.ts';
import { DatasetError } from '../datasetError.ts';
import type { PathList } from '../tables/pathList.ts';
import { PathListBuilder } from '../tables/pathList.ts';
import { TAR_BLOCK, readPaxRecords, readTarBlock, untilNul } from '../../task/archive/tarHeader.ts';

export interface TarIndex {
  /** Names as bytes, in the order of the archive; duplicates are kept. */
  readonly names: PathList;
  /** Per member: where its own header is. */
  readonly headerAt: readonly number[];
  /** Per member: bytes of data, which begin after the header. */
  readonly sizes: readonly number[];
  /** Members that are sparse files, which a reader must not take for plain ones. */
  readonly sparse: ReadonlySet<number>;
}

const WINDOW = 16 * 1024;
const MAX_EXTENDED_BYTES = 1024 * 1024;
const MAX_MEMBERS = 1 << 24;
const EXTENDED = new Set(['x', 'X', 'g', 'L', 'K']);

/** Walks all headers of an uncompressed tar. Throws `DatasetError`. */
export async function indexTar(
  source: ByteSource,
  maxNameBytes: number,
  signal?: AbortSignal,
): Promise<TarIndex> {
  const reader = new BlockReader(source);
  const names = new PathListBuilder(1024, maxNameBytes);
  const headerAt: number[] = [];
  const sizes: number[] = [];
  const sparse = new Set<number>();
  let pending: Pending = {};
  for (let at = 0; at < source.size;) {
    if (at + TAR_BLOCK > source.size) throw cutOff(source);
    const read = readTarBlock(await reader.bytes(at, TAR_BLOCK, signal));
    if (read.kind === 'end') break;
    if (read.kind === 'invalid') throw damaged(source, `${read.because}, at byte ${at}`);
    const { header } = read;
    const isExtended = EXTENDED.has(header.type);
    const size = isExtended ? header.size : (pending.size ?? header.size);
    const next = at + TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
    // The padding after the last member is often left out.
    if (at + TAR_BLOCK + size > source.size) throw cutOff(source);
    if (isExtended) {
      if (size > MAX_EXTENDED_BYTES) throw damaged(source, `a name takes ${size} bytes, at byte ${at}`);
      const data = await reader.bytes(at + TAR_BLOCK, size, signal);
      pending = extended(pending, header.type, data);
    } else {
      if (headerAt.length >= MAX_MEMBERS) throw damaged(source, `it has more than ${MAX_MEMBERS} members`);
      const name = pending.name ?? header.name;
      if (pending.sparse === true) sparse.add(headerAt.length);
      names.add(name, 0, name.length);
      headerAt.push(at);
      sizes.push(size);
      pending = {};
    }
    at = next;
  }
  return { names: names.finish(), headerAt, sizes, sparse };
}

/** What extended headers say about the member that follows them. */
interface Pending {
  readonly name?: Uint8Array;
  readonly size?: number;
  readonly sparse?: boolean;
}

function extended(pending: Pending, type: string, data: Buffer): Pending {
  if (type === 'L') return { ...pending, name: Buffer.from(untilNul(data)) };
  if (type !== 'x' && type !== 'X') return pending;
  const records = readPaxRecords(data);
  if (records === undefined) return pending;
  const path = records.get('path');
  const size = Number(Buffer.from(records.get('size') ?? []).toString('latin1') || Number.NaN);
  return {
    ...pending,
    ...(path === undefined || path.length === 0 ? {} : { name: Buffer.from(path) }),
    ...(Number.isSafeInteger(size) && size >= 0 ? { size } : {}),
    ...([...records.keys()].some((key) => key.startsWith('GNU.sparse.')) ? { sparse: true } : {}),
  };
}

class BlockReader {
  readonly #source: ByteSource;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async bytes(offset: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    const from = offset - this.#start;
    if (from < 0 || from + length > this.#window.length) {
      const wanted = Math.max(length, Math.min(WINDOW, this.#source.size - offset));
      this.#window = await this.#source.read(offset, wanted, signal);
      this.#start = offset;
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + length);
  }
}

function cutOff({ location }: ByteSource): DatasetError {
  return new DatasetError(
    'truncated',
    `${location} is a tar file that ends in the middle of a member.`,
    'Download or copy the file again, and wait until that is done.',
  );
}

function damaged({ location }: ByteSource, because: string): DatasetError {
  return new DatasetError(
    'corrupt',
    `${location} is a damaged tar file: ${because}.`,
    'Download or pack the file again.',
  );
}
