/**
 * Downloads one file from the hub into the cache. It continues where an earlier download stopped or the connection was
 * cut, and keeps the file only when its hash is the one in the list of files.
 *
 * The client library downloads a file from its start each time and checks no hash, so this is our own. It uses the plain
 * `/resolve/` address, which serves every file, also those that the hub keeps in its chunked store.
 */
import { createHash, type Hash } from 'node:crypto';
import { mkdir, statfs } from 'node:fs/promises';
import type { Wanted } from './answerErrors.ts';
import { bytesText } from '../../wording/bytesText.ts';
import { diskError, tooLittleSpace } from './diskErrors.ts';
import { HubError, isPassing } from './hubError.ts';
import { openBytes, pause } from './hubFetch.ts';
import type { HubSettings } from './hubSettings.ts';
import { networkError } from './networkErrors.ts';
import { claimPartial, dropPartial, finishPartial, keepPartial, type PartialFile } from './partialFile.ts';
import type { FileHash } from './taskFiles.ts';

/** How long a download waits, in milliseconds. */
export interface Patience {
  /** After this long without a byte the connection counts as cut. */
  readonly stallMs: number;
  /** The pause before the next attempt; it grows with each one. */
  readonly retryMs: number;
}

export const PATIENCE: Patience = { stallMs: 60_000, retryMs: 500 };
/** Attempts in a row that may bring no byte. */
const MOST_VAIN_ATTEMPTS = 4;
const READ_BYTES = 1024 * 1024;

export interface Download {
  readonly settings: HubSettings;
  readonly url: string;
  readonly wanted: Wanted;
  readonly bytes: number;
  readonly hash: FileHash;
  /** The cache's folder of blobs. */
  readonly folder: string;
  readonly patience: Patience;
  /** Called with the number of bytes so far, for the first time before any arrives. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Downloads to `folder/<hash>` and returns that path.
 * @throws HubError, or the reason of `signal`; what has arrived is kept for the next time
 */
export async function downloadBlob(download: Download, signal: AbortSignal): Promise<string> {
  const { folder, hash } = download;
  try {
    await mkdir(folder, { recursive: true });
    const partial = await claimPartial(folder, hash.hex);
    const first = await downloadTo(partial, download, signal);
    if (first) return first;
    // The part that an earlier download left was wrong, so the file is downloaded from its start.
    const again = await downloadTo(await claimPartial(folder, hash.hex), download, signal);
    if (again) return again;
    throw wrongBytes(download, 'their hash is another');
  } catch (error) {
    throw diskError(error, folder);
  }
}

/** The blob; undefined when the bytes were wrong and have been deleted. */
async function downloadTo(
  partial: PartialFile,
  download: Download,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { folder, hash, bytes } = download;
  try {
    const written = new Written(partial, download);
    await written.readBack(signal);
    await checkSpace(folder, bytes - written.bytes);
    await receiveAll(written, download, signal);
    if (written.digest() === hash.hex) return await finishPartial(partial, folder, hash.hex);
  } catch (error) {
    const useless = error instanceof HubError && error.code === 'wrong-bytes';
    await (useless ? dropPartial(partial) : keepPartial(partial, folder, hash.hex)).catch(() => undefined);
    throw error;
  }
  await dropPartial(partial);
  if (partial.bytes > 0) return undefined;
  throw wrongBytes(download, 'their hash is another');
}

/** Tries again until all bytes are there, as long as attempts bring some. */
async function receiveAll(written: Written, download: Download, signal: AbortSignal): Promise<void> {
  let vain = 0;
  // The most bytes so far: getting the same bytes again after a restart is no progress.
  let most = written.bytes;
  while (written.bytes < download.bytes) {
    let failed: unknown;
    try {
      await receive(written, download, signal);
    } catch (error) {
      if (!isPassing(error)) throw error;
      failed = error;
    }
    vain = written.bytes > most ? 0 : vain + 1;
    most = Math.max(most, written.bytes);
    // Without an error, the answer ended early.
    if (vain >= MOST_VAIN_ATTEMPTS)
      throw failed ?? wrongBytes(download, `they end after ${bytesText(written.bytes)}`);
    if (written.bytes < download.bytes) await pause(download.patience.retryMs * (vain + 1), signal);
  }
}

async function receive(written: Written, download: Download, signal: AbortSignal): Promise<void> {
  const { settings, url, wanted, bytes, patience } = download;
  const stall = new AbortController();
  const watch = setTimeout(() => stall.abort(new DOMException('no bytes', 'TimeoutError')), patience.stallMs);
  let host = new URL(url).host;
  try {
    const either = AbortSignal.any([signal, stall.signal]);
    const response = await openBytes(url, written.bytes, settings, wanted, either);
    if (response.url !== '') host = new URL(response.url).host;
    if (!continuesAt(response, written.bytes)) await written.restart();
    if (response.status === 416) {
      await response.body?.cancel();
      return;
    }
    for await (const part of response.body ?? []) {
      watch.refresh();
      if (written.bytes + part.length > bytes)
        throw wrongBytes(download, `there are more than ${bytesText(bytes)}`);
      await written.add(part);
    }
  } catch (error) {
    signal.throwIfAborted();
    // Only the file gives errors of a system call as they are; those of sockets are wrapped.
    if (error instanceof HubError || (error instanceof Error && 'syscall' in error)) throw error;
    throw networkError(stall.signal.aborted ? stall.signal.reason : error, host, settings.proxy);
  } finally {
    clearTimeout(watch);
  }
}

/** A server may ignore the range that it was asked for, and send everything. */
function continuesAt(response: Response, offset: number): boolean {
  if (offset === 0) return true;
  const start = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  return response.status === 206 && Number(start) === offset;
}

/** The bytes written so far, and their hash. */
class Written {
  bytes = 0;
  #hash: Hash;
  readonly #partial: PartialFile;
  readonly #download: Download;

  constructor(partial: PartialFile, download: Download) {
    this.#partial = partial;
    this.#download = download;
    this.#hash = begin(download);
  }

  /** Hashes the part that an earlier download left; a part that is longer than the file is dropped. */
  async readBack(signal: AbortSignal): Promise<void> {
    const { handle, bytes: there } = this.#partial;
    if (there > this.#download.bytes) await this.restart();
    const buffer = Buffer.alloc(READ_BYTES);
    while (this.bytes < Math.min(there, this.#download.bytes)) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, this.bytes);
      if (bytesRead === 0) break;
      this.#hash.update(buffer.subarray(0, bytesRead));
      this.bytes += bytesRead;
    }
    this.#download.onBytes(this.bytes);
  }

  async restart(): Promise<void> {
    await this.#partial.handle.truncate(0);
    this.#hash = begin(this.#download);
    this.bytes = 0;
  }

  async add(part: Uint8Array): Promise<void> {
    for (let at = 0; at < part.length;) {
      const { bytesWritten } = await this.#partial.handle.write(part, at, part.length - at, this.bytes + at);
      at += bytesWritten;
    }
    this.#hash.update(part);
    this.bytes += part.length;
    this.#download.onBytes(this.bytes);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

function begin({ hash, bytes }: Download): Hash {
  return hash.kind === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${bytes}\0`);
}

async function checkSpace(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (needed > bavail * bsize) throw tooLittleSpace(folder, needed, bavail * bsize);
}

function wrongBytes({ wanted }: Download, because: string): HubError {
  return new HubError(
    'wrong-bytes',
    `What arrived for ${wanted.path ?? wanted.repo} is not the file that the hub lists: ${because}.`,
    'Try again; if it repeats, a proxy or mirror on the way changes files. What was wrong has been deleted.',
  );
}
