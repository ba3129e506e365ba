/** Recognises a file by its first bytes; its name matters only for the message about a file that we cannot open. */
import { extname } from 'node:path';
import type { ByteSource } from './byteSource.ts';
import { DatasetError } from './datasetError.ts';
import { TAR_BLOCK, readTarBlock } from '../task/archive/tarHeader.ts';

export type FileKind = 'parquet' | 'arrow' | 'gzip' | 'tar';

const LOOK_AT = 1024;

/** The kind of the file. Throws a `DatasetError` that says what the file is instead, where that is known. */
export async function fileKind(source: ByteSource, signal?: AbortSignal): Promise<FileKind> {
  const { location, size } = source;
  if (size === 0) {
    throw new DatasetError(
      'empty-file',
      `${location} is empty.`,
      'Download or write the file again; an unfinished download looks like this.',
    );
  }
  const head = await source.read(0, Math.min(size, LOOK_AT), signal);
  const start = head.toString('latin1', 0, 64);
  // PARE is the magic of an encrypted Parquet file; the footer's reader says so.
  if (start.startsWith('PAR1') || start.startsWith('PARE')) return 'parquet';
  if (start.startsWith('ARROW1') || start.startsWith('\xff\xff\xff\xff')) return 'arrow';
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  if (head.length >= TAR_BLOCK && readTarBlock(head.subarray(0, TAR_BLOCK)).kind === 'header') return 'tar';
  if (extname(location).toLowerCase() === '.arrow' && isOldArrowStream(head)) return 'arrow';
  throw notADataset(location, head);
}

/** Before Arrow 0.15 a stream had no marker: a length, then a FlatBuffers table that begins near its start. */
function isOldArrowStream(head: Buffer): boolean {
  if (head.length < 8) return false;
  const length = head.readUInt32LE(0);
  const root = head.readUInt32LE(4);
  return length > 0 && length % 4 === 0 && length < 1 << 24 && root > 0 && root < 64;
}

function notADataset(location: string, head: Buffer): DatasetError {
  const text = head.toString('utf8').trimStart();
  if (text.startsWith('version https://git-lfs.github.com/spec/')) {
    return new DatasetError(
      'lfs-pointer',
      `${location} is a Git LFS pointer: it names the dataset, but the data has not been downloaded.`,
      'Run "git lfs pull" in its repository, then open it again.',
    );
  }
  const expected = EXPECTED[extname(location).toLowerCase()] ?? 'a Parquet, Arrow or tar file';
  const found = whatItIs(head, text);
  return new DatasetError(
    'not-a-dataset',
    `${location} is not ${expected}: ${found}.`,
    /^[<{]/.test(text)
      ? 'Download the file itself: on huggingface.co use the link with "/resolve/", not "/blob/".'
      : 'Open a .parquet, .arrow or .tar.gz file, or a folder with tasks.',
  );
}

const EXPECTED: Readonly<Record<string, string>> = {
  '.parquet': 'a Parquet file',
  '.arrow': 'an Arrow IPC file',
  '.gz': 'a gzipped tar file',
  '.tgz': 'a gzipped tar file',
  '.tar': 'a tar file',
};

const MAGICS: readonly (readonly [string, string])[] = [
  ['504b0304', 'it is a zip file'],
  ['28b52ffd', 'it is zstd-compressed data'],
  ['425a68', 'it is bzip2-compressed data'],
  ['fd377a585a00', 'it is xz-compressed data'],
  ['894844460d0a', 'it is an HDF5 file'],
  ['53514c697465', 'it is an SQLite database'],
];

function whatItIs(head: Buffer, text: string): string {
  const hex = head.toString('hex', 0, 16);
  const known = MAGICS.find(([magic]) => hex.startsWith(magic));
  if (known !== undefined) return known[1];
  if (/^<(!doctype html|html|head|\?xml)/i.test(text)) return 'it is an HTML page';
  if (/^[{[]/.test(text)) return 'it is JSON text';
  return `its first bytes are ${hex.slice(0, 16).replace(/..(?=.)/g, '$& ')}`;
}
