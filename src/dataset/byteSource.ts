/** Reads a file by offset, through one open handle, in exact lengths; errors name the file and the next step. */
import { constants, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { DatasetError } from './datasetError.ts';

/** Bytes that can be read at any offset. */
export interface ByteSource {
  /** Host path, for messages. */
  readonly location: string;
  /** Bytes, as of when it was opened. */
  readonly size: number;
  /** Exactly `length` bytes at `offset`, or a `truncated` error. The result is the caller's own. */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Buffer>;
  /**
   * The same, synchronously, for a few kilobytes only. A thousand such reads take a few milliseconds, where the same
   * reads through promises take a tenth of a second; a caller that makes many yields in between.
   */
  readSmall(offset: number, length: number): Buffer;
  close(): Promise<void>;
}

/** Opens a file for reading. Throws `DatasetError` when there is none, or it may not be read. */
export async function openFile(location: string): Promise<ByteSource> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(location, constants.O_RDONLY);
    const stats = await handle.stat();
    if (!stats.isFile()) {
      throw new DatasetError(
        'not-a-dataset',
        `${location} is neither a file nor a folder.`,
        'Open a .parquet, .arrow or .tar.gz file, or a folder with tasks.',
      );
    }
    return new FileSource(location, stats.size, handle);
  } catch (error) {
    await handle?.close();
    throw asDatasetError(error, location);
  }
}

/** Bytes that are already in memory. */
export function memorySource(location: string, bytes: Buffer): ByteSource {
  const readSmall = (offset: number, length: number): Buffer => {
    if (offset + length > bytes.length) throw endsEarly(location, offset + length, bytes.length);
    return Buffer.from(bytes.subarray(offset, offset + length));
  };
  return {
    location,
    size: bytes.length,
    read: async (offset, length, signal) => {
      signal?.throwIfAborted();
      return readSmall(offset, length);
    },
    readSmall,
    close: async () => {},
  };
}

class FileSource implements ByteSource {
  readonly location: string;
  readonly size: number;
  #handle: FileHandle | undefined;

  constructor(location: string, size: number, handle: FileHandle) {
    this.location = location;
    this.size = size;
    this.#handle = handle;
  }

  async read(offset: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    signal?.throwIfAborted();
    if (this.#handle === undefined) throw closedError(this.location);
    if (offset + length > this.size) throw endsEarly(this.location, offset + length, this.size);
    const bytes = Buffer.allocUnsafeSlow(length);
    let filled = 0;
    while (filled < length) {
      const bytesRead = await this.#readOnce(bytes, filled, offset + filled);
      signal?.throwIfAborted();
      if (bytesRead === 0) throw shrank(this.location, this.size);
      filled += bytesRead;
    }
    return bytes;
  }

  readSmall(offset: number, length: number): Buffer {
    if (this.#handle === undefined) throw closedError(this.location);
    if (offset + length > this.size) throw endsEarly(this.location, offset + length, this.size);
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const bytesRead = this.#readNow(bytes, filled, offset + filled);
      if (bytesRead === 0) throw shrank(this.location, this.size);
      filled += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  #readNow(bytes: Buffer, filled: number, position: number): number {
    if (this.#handle === undefined) throw closedError(this.location);
    try {
      return readSync(this.#handle.fd, bytes, filled, bytes.length - filled, position);
    } catch (error) {
      throw asDatasetError(error, this.location);
    }
  }

  async #readOnce(bytes: Buffer, filled: number, position: number): Promise<number> {
    if (this.#handle === undefined) throw closedError(this.location);
    try {
      return (await this.#handle.read(bytes, filled, bytes.length - filled, position)).bytesRead;
    } catch (error) {
      throw asDatasetError(error, this.location);
    }
  }
}

/** The error for using a dataset after `close`. */
function closedError(location: string): DatasetError {
  return new DatasetError('closed', `${location} has been closed.`, 'Open the dataset again.');
}

/** Turns an error of the file system into one that says which file and what to do; others stay as they are. */
export function asDatasetError(error: unknown, location: string): unknown {
  if (error instanceof DatasetError || !(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new DatasetError(
        'not-found',
        `${location} does not exist.`,
        'Check the path; the file may have been moved or deleted.',
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
      return new DatasetError(
        'permission-denied',
        `${location} may not be read by this user.`,
        'Give yourself permission to read it, or copy it to a place where you have it.',
        { cause: error },
      );
    default:
      return new DatasetError(
        'read-failed',
        `${location} could not be read: ${error.message}.`,
        'Check the disk or the network share that holds it, then open it again.',
        { cause: error },
      );
  }
}

function endsEarly(location: string, needed: number, size: number): DatasetError {
  return new DatasetError(
    'truncated',
    `${location} ends at byte ${size}, but byte ${needed} is needed: a part of the file is missing.`,
    'Download or copy the file again.',
  );
}

function shrank(location: string, size: number): DatasetError {
  return new DatasetError(
    'truncated',
    `${location} became shorter than the ${size} bytes it had when it was opened.`,
    'Wait until whatever writes the file is done, then open it again.',
  );
}
