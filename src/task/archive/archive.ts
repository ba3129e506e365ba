/**
 * Reads a task's archive without trusting it: gzipped or plain tar, told apart by their first bytes.
 * Anything that could land outside the task, or cost more than the limits, refuses the whole archive.
 */
import { createGunzip } from 'node:zlib';
import { TaskArchiveError, damaged, tooLarge, truncated } from './archiveError.ts';
import { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from './archiveLimits.ts';
import { ByteReader } from './byteReader.ts';
import { printableName } from './memberName.ts';
import { TAR_BLOCK, readTarBlock } from './tarHeader.ts';
import { tarMembers } from './tarMembers.ts';
import type { TaskFile, TaskFiles } from '../task.ts';

export type ArchiveResult =
  { readonly ok: true; readonly files: TaskFiles } | { readonly ok: false; readonly error: TaskArchiveError };

/**
 * Reads all files of an archive into memory. Of members with the same name the last one wins; folder entries are
 * ignored. Never throws for bad bytes: the result is an `error` that says what was wrong, where, and what to do.
 */
export async function readTaskArchive(
  bytes: Uint8Array,
  limits: Partial<ArchiveLimits> = {},
): Promise<ArchiveResult> {
  try {
    return { ok: true, files: await readMembers(bytes, { ...DEFAULT_ARCHIVE_LIMITS, ...limits }) };
  } catch (error) {
    if (error instanceof TaskArchiveError) return { ok: false, error };
    throw error;
  }
}

/** Whether an archive is gzipped, by its first bytes. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function readMembers(bytes: Uint8Array, limits: ArchiveLimits): Promise<TaskFiles> {
  const zipped = isGzip(bytes);
  if (!zipped) refuseOtherFormats(bytes);
  const reader = new ByteReader(zipped ? unzip(bytes, limits) : wholeArchive(bytes, limits));
  try {
    const files = new Map<string, TaskFile>();
    for await (const file of tarMembers(reader, limits, zipped)) {
      files.delete(file.path);
      files.set(file.path, file);
    }
    if (files.size === 0)
      throw new TaskArchiveError(
        'empty',
        'The archive holds no files, so there is no task in it.',
        'Check how this row was made.',
      );
    refuseConflicts(files);
    return files;
  } finally {
    await reader.close();
  }
}

/** A file cannot be the folder of another. With NUL for `/`, a folder's own files sort right behind it. */
function refuseConflicts(files: TaskFiles): void {
  const sorted = [...files.keys()].map((path) => path.replaceAll('/', '\0')).sort();
  sorted.forEach((folder, index) => {
    const inside = sorted[index + 1];
    if (inside?.startsWith(`${folder}\0`) !== true) return;
    const member = folder.replaceAll('\0', '/');
    throw new TaskArchiveError(
      'conflicting-names',
      `The archive was refused: ${printableName(member)} is both a file and the folder of ${printableName(inside.replaceAll('\0', '/'))}.`,
      'Rename one of them and pack the task again.',
      member,
    );
  });
}

function refuseOtherFormats(bytes: Uint8Array): void {
  if (bytes.length >= TAR_BLOCK && readTarBlock(bytes.subarray(0, TAR_BLOCK)).kind !== 'invalid') return;
  const start = Buffer.from(bytes.subarray(0, 8));
  const hex = start.toString('hex');
  const found = OTHER_FORMATS.find(([magic]) => hex.startsWith(magic))?.[1];
  const what =
    bytes.length === 0
      ? 'it is empty'
      : found !== undefined
        ? `it looks like ${found}`
        : `its first bytes are ${hex.replace(/..(?=.)/g, '$& ')}`;
  throw new TaskArchiveError(
    'not-an-archive',
    `This is neither a tar archive nor a gzipped one: ${what}.`,
    "Check that it comes from the column with the task's files and was not cut or converted.",
  );
}

const OTHER_FORMATS: readonly (readonly [magic: string, name: string])[] = [
  ['504b', 'a zip file'],
  ['28b52ffd', 'zstd data'],
  ['425a68', 'bzip2 data'],
  ['fd377a585a00', 'xz data'],
  ['4834734941', 'base64 text of a gzipped archive'],
  ['50415231', 'a Parquet file'],
];

async function* wholeArchive(bytes: Uint8Array, limits: ArchiveLimits): AsyncGenerator<Uint8Array> {
  if (bytes.length > limits.totalBytes) throw tooLarge(limits);
  yield bytes;
}

/** Unzips chunk by chunk, so that a bomb is noticed after the limit and not after it went off. */
async function* unzip(bytes: Uint8Array, limits: ArchiveLimits): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  gunzip.end(bytes);
  let unpacked = 0;
  try {
    for await (const chunk of gunzip) {
      if (!(chunk instanceof Uint8Array)) continue;
      unpacked += chunk.length;
      if (unpacked > limits.totalBytes) throw tooLarge(limits);
      if (unpacked > limits.ratioAboveBytes && unpacked > limits.ratio * bytes.length)
        throw new TaskArchiveError(
          'compression-bomb',
          `The archive unpacks to more than ${limits.ratio} times its ${bytes.length} bytes, as only an archive made to fill memory does.`,
          'It was not opened; do not trust where it came from.',
        );
      yield chunk;
    }
  } catch (error) {
    throw error instanceof TaskArchiveError ? error : unzipError(error);
  } finally {
    gunzip.destroy();
  }
}

function unzipError(error: unknown): TaskArchiveError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') return truncated('its compressed data');
  return damaged(
    `its compressed data cannot be unpacked (${error instanceof Error ? error.message : String(error)})`,
  );
}
