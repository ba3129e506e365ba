/** Cuts one task out of a tar: its members' blocks, renamed so that the task is at the archive's root. */
import { TAR_BLOCK } from '../../task/archive/tarHeader.ts';
import type { ByteSource } from '../byteSource.ts';
import { TooLarge } from '../formatErrors.ts';
import { bytesText } from '../../wording/bytesText.ts';
import type { TarIndex } from './tarIndex.ts';
import { plainName } from './tarTasks.ts';

/** A tar of the given members, names without the folder `root`. Headers keep whatever else they say. */
export async function subTar(
  source: ByteSource,
  index: TarIndex,
  root: string,
  members: readonly number[],
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const blocks: Buffer[] = [];
  let size = 0;
  for (const member of members) {
    const name = innerName(plainName(index.names, member), root);
    if (name === '') continue;
    const length = index.sizes[member] ?? 0;
    size += length + TAR_BLOCK;
    if (size > maxBytes) throw new TooLarge(`its files have more than ${bytesText(maxBytes)} together`);
    const at = index.headerAt[member] ?? 0;
    const bytes = await source.read(at, TAR_BLOCK + length, signal);
    const header = bytes.subarray(0, TAR_BLOCK);
    if (index.sparse.has(member)) header.write('S', 156, 'latin1');
    blocks.push(
      ...rename(header, Buffer.from(name, 'latin1'), length),
      bytes.subarray(TAR_BLOCK),
      padding(length),
    );
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * TAR_BLOCK)]);
}

function innerName(name: string, root: string): string {
  return root === '' ? name : name.slice(root.length + 1);
}

/** The header under another name; a long one goes before it in a GNU long-name member. */
function rename(header: Buffer, name: Buffer, size: number): Buffer[] {
  const isPosix = header.toString('latin1', 257, 263) === 'ustar\0';
  if (isPosix) header.fill(0, 345, 500);
  header.fill(0, 0, 100).set(name.subarray(0, 100));
  if (size <= 0o77777777777) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  sign(header);
  if (name.length <= 100) return [header];
  const long = Buffer.alloc(TAR_BLOCK);
  long.write('././@LongLink', 0, 'latin1');
  long.write('0000644\0', 100, 'latin1');
  long.write(`${(name.length + 1).toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  long.write('L', 156, 'latin1');
  long.write('ustar  \0', 257, 'latin1');
  sign(long);
  return [long, name, Buffer.alloc(1), padding(name.length + 1), header];
}

function sign(header: Buffer): void {
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
}

function padding(size: number): Buffer {
  return Buffer.alloc((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK);
}
