/** Walks a tar stream and yields its regular files, refusing every other kind of member. */
import { TaskArchiveError, damaged, irregular, tooLarge, truncated } from './archiveError.ts';
import type { ArchiveLimits } from './archiveLimits.ts';
import type { ByteReader } from './byteReader.ts';
import { decodeName, memberPath, printableName } from './memberName.ts';
import { readPaxRecords, readTarBlock, TAR_BLOCK, type TarHeader, untilNul } from './tarHeader.ts';
import type { TaskFile } from '../task.ts';

/** Yields the regular files; `checked` says that the source itself notices when it was cut off. */
export async function* tarMembers(
  reader: ByteReader,
  limits: ArchiveLimits,
  checked: boolean,
): AsyncGenerator<TaskFile> {
  let count = 0;
  let last = 'its first member';
  for (;;) {
    const next = await nextMember(reader, limits, last, checked);
    if (next === undefined) break;
    const name = decodeName(next.name);
    count += 1;
    if (count > limits.members)
      throw new TaskArchiveError(
        'too-many-members',
        `The archive has more than ${limits.members} members, which is more than a task may have.`,
        'Leave out what the task does not need.',
        name,
      );
    const path = safePath(name);
    if (next.type === '5' || (next.type === '0' && name.endsWith('/'))) continue;
    refuseIrregular(next, name, path);
    refuseLarge(next, name, limits, reader.position);
    const data = await reader.take(next.size);
    if (data.length < next.size) throw truncated(printableName(name), name);
    await skipPadding(reader, next.size);
    last = `the member after ${printableName(name)}`;
    yield { path, bytes: data, mode: next.mode };
  }
  // The rest is padding, but only at its end does gzip tell whether all of it arrived unharmed.
  await reader.skip(Number.POSITIVE_INFINITY);
}

/** The next header with what extended headers before it say; `undefined` at the end of the archive. */
async function nextMember(
  reader: ByteReader,
  limits: ArchiveLimits,
  where: string,
  checked: boolean,
): Promise<TarHeader | undefined> {
  let longName: Uint8Array | undefined;
  let size: number | undefined;
  for (;;) {
    const block = await reader.take(TAR_BLOCK);
    if (block.length === 0 && checked && longName === undefined) return undefined;
    if (block.length < TAR_BLOCK) throw truncated(where);
    const read = readTarBlock(block);
    if (read.kind === 'end') return undefined;
    if (read.kind === 'invalid') throw damaged(`${read.because}, at ${where}`);
    const { header } = read;
    if (!'xXgLK'.includes(header.type))
      return { ...header, name: longName ?? header.name, size: size ?? header.size };
    const data = await extendedHeader(reader, header, limits, where);
    if (header.type === 'L') longName = untilNul(data);
    if (header.type !== 'x' && header.type !== 'X') continue;
    const records = readPaxRecords(data);
    if (records === undefined) throw damaged(`an extended header cannot be read, at ${where}`);
    if ([...records.keys()].some((key) => key.startsWith('GNU.sparse.')))
      throw irregular(decodeName(records.get('GNU.sparse.name') ?? header.name), 'a sparse file');
    const path = records.get('path');
    if (path !== undefined && path.length > 0) longName = path;
    size = paxSize(records.get('size'), where) ?? size;
  }
}

const LONGEST_EXTENDED_HEADER = 1024 * 1024;

async function extendedHeader(
  reader: ByteReader,
  header: TarHeader,
  limits: ArchiveLimits,
  where: string,
): Promise<Uint8Array> {
  if (header.size > Math.min(LONGEST_EXTENDED_HEADER, limits.totalBytes))
    throw damaged(`an extended header claims ${header.size} bytes, at ${where}`);
  const data = await reader.take(header.size);
  if (data.length < header.size) throw truncated(where);
  await skipPadding(reader, header.size);
  return data;
}

function paxSize(value: Uint8Array | undefined, where: string): number | undefined {
  if (value === undefined || value.length === 0) return undefined;
  const text = decodeName(value);
  if (!/^[0-9]{1,15}$/.test(text)) throw damaged(`an extended header has no readable size, at ${where}`);
  return Number(text);
}

async function skipPadding(reader: ByteReader, size: number): Promise<void> {
  await reader.skip((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK);
}

function safePath(name: string): string {
  const safe = memberPath(name);
  if (safe.ok) return safe.path;
  throw new TaskArchiveError(
    safe.code,
    `The archive was refused: for the member ${printableName(name)}, ${safe.because}.`,
    'Pack the task again with plain relative names.',
    name,
  );
}

const IRREGULAR: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a named pipe',
  S: 'a sparse file',
};

function refuseIrregular(header: TarHeader, name: string, path: string): void {
  if (header.type !== '0' && header.type !== '7')
    throw irregular(name, IRREGULAR[header.type] ?? `of the unknown kind ${JSON.stringify(header.type)}`);
  if (path === '')
    throw new TaskArchiveError(
      'bad-name',
      `The archive was refused: the member ${printableName(name)} is a file without a name.`,
      'Pack the task again with plain relative names.',
      name,
    );
}

function refuseLarge(header: TarHeader, name: string, limits: ArchiveLimits, position: number): void {
  if (header.size > limits.fileBytes)
    throw new TaskArchiveError(
      'file-too-large',
      `${printableName(name)} has ${header.size} bytes, more than the ${limits.fileBytes} that a task's file may have.`,
      'Leave it out of the task.',
      name,
    );
  if (position + header.size > limits.totalBytes) throw tooLarge(limits);
}
