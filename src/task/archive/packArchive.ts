/** Writes a task's files as an archive that is the same, byte for byte, whenever the files are. */
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { TaskArchiveError } from './archiveError.ts';
import { encodeName, memberPath, printableName } from './memberName.ts';
import { TAR_BLOCK } from './tarHeader.ts';
import type { TaskFile } from '../task.ts';

const zip = promisify(gzip);

/**
 * Packs files as a gzipped tar, as Marin's `taskbinary.py` does: members sorted by the bytes of their names, no folder
 * entries, mode 0755 for `.sh` and 0644 for all else, owner root, all times 0. Of files with the same path the last
 * one wins. Throws a TaskArchiveError (`bad-name`, `path-traversal`, `absolute-path`) for a path that
 * `readTaskArchive` would refuse.
 */
export async function packTaskArchive(files: Iterable<TaskFile>): Promise<Uint8Array> {
  const blocks = packTarMembers(files, ({ path }) => (path.endsWith('.sh') ? 0o755 : 0o644));
  const zipped = await zip(Buffer.concat([...blocks, TAR_END]), { level: 9 });
  // RFC 1952: byte 9 names the writing system; zlib fills in the host's. 255 is "unknown".
  zipped[9] = 255;
  return new Uint8Array(zipped);
}

/** What a tar ends with. */
export const TAR_END: Uint8Array = new Uint8Array(2 * TAR_BLOCK);

/** The blocks of a tar without its end, members in the same order and with the same refusals as `packTaskArchive`. */
export function packTarMembers(files: Iterable<TaskFile>, modeOf: (file: TaskFile) => number): Buffer[] {
  const byPath = new Map([...files].map((file) => [file.path, file]));
  const members = [...byPath.values()].map((file) => ({ name: memberName(file.path), file }));
  members.sort((left, right) => Buffer.compare(left.name, right.name));
  return members.flatMap(({ name, file }) => memberBlocks(name, file.bytes, modeOf(file)));
}

function memberName(path: string): Uint8Array {
  const safe = memberPath(path);
  const plain = safe.ok && safe.path === path;
  const because = safe.ok ? 'it is not in its plainest form' : safe.because;
  try {
    if (plain && path !== '') return encodeName(path);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new TaskArchiveError(
    safe.ok ? 'bad-name' : safe.code,
    `${printableName(path)} cannot be packed: ${because}.`,
    'Name the file with a plain relative path.',
    path,
  );
}

function memberBlocks(name: Uint8Array, bytes: Uint8Array, mode: number): Buffer[] {
  const blocks = [header(name.subarray(0, 100), mode, bytes.length, '0'), ...data(bytes)];
  if (name.length <= 100) return blocks;
  const record = paxPath(name);
  return [header(Buffer.from('PaxHeader'), 0o644, record.length, 'x'), ...data(record), ...blocks];
}

function data(bytes: Uint8Array): Buffer[] {
  return [Buffer.from(bytes), Buffer.alloc((TAR_BLOCK - (bytes.length % TAR_BLOCK)) % TAR_BLOCK)];
}

/** The length that starts a pax record counts its own digits too. */
function paxPath(name: Uint8Array): Buffer {
  const rest = Buffer.concat([Buffer.from(' path='), name, Buffer.from('\n')]);
  let length = rest.length;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

function header(name: Uint8Array, mode: number, size: number, type: string): Buffer {
  const block = Buffer.alloc(TAR_BLOCK);
  block.set(name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
