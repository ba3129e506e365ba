/** Unpacks a gzipped file once, so that its members can be read at any offset: in memory, or when large on disk. */
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { ByteSource } from '../byteSource.ts';
import { asDatasetError, memorySource, openFile } from '../byteSource.ts';
import { DatasetError } from '../datasetError.ts';
import { bytesText } from '../../wording/bytesText.ts';

const MAX_IN_MEMORY = 64 * 1024 * 1024;

/**
 * The unpacked bytes of `location`; `close` deletes the temporary file, if there is one.
 * Throws `DatasetError` when the file is not whole, or unpacks to more than `maxBytes`.
 */
export async function unpackGzip(
  location: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<ByteSource> {
  const input = createReadStream(location);
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  input.on('error', (error) => gunzip.destroy(error));
  input.pipe(gunzip);
  const sink = new Sink(location);
  let unpacked = 0;
  try {
    for await (const chunk of gunzip) {
      signal?.throwIfAborted();
      if (!(chunk instanceof Uint8Array)) continue;
      unpacked += chunk.length;
      if (unpacked > maxBytes) {
        throw new DatasetError(
          'too-large',
          `${location} unpacks to more than ${bytesText(maxBytes)}.`,
          'If you trust the file, unpack it and open the folder.',
        );
      }
      await sink.write(chunk);
    }
    return await sink.finish();
  } catch (error) {
    await sink.discard();
    throw gzipError(error, location);
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}

class Sink {
  readonly #location: string;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #folder: string | undefined;
  #file: FileHandle | undefined;

  constructor(location: string) {
    this.#location = location;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.length;
    if (this.#file === undefined && this.#size > MAX_IN_MEMORY) {
      this.#folder = await mkdtemp(join(tmpdir(), 'repair-bench-tar-'));
      this.#file = await open(join(this.#folder, 'unpacked.tar'), 'w', 0o600);
      for (const kept of this.#chunks) await this.#file.writeFile(kept);
      this.#chunks = [];
    }
    if (this.#file === undefined) this.#chunks.push(chunk);
    else await this.#file.writeFile(chunk);
  }

  async finish(): Promise<ByteSource> {
    if (this.#folder === undefined) return memorySource(this.#location, Buffer.concat(this.#chunks));
    await this.#file?.close();
    this.#file = undefined;
    const folder = this.#folder;
    const source = await openFile(join(folder, 'unpacked.tar'));
    return {
      location: this.#location,
      size: source.size,
      read: (offset, length, signal) => source.read(offset, length, signal),
      readSmall: (offset, length) => source.readSmall(offset, length),
      close: async () => {
        await source.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  }

  async discard(): Promise<void> {
    this.#chunks = [];
    await this.#file?.close();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

function gzipError(error: unknown, location: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') {
    return new DatasetError(
      'truncated',
      `${location} ends in the middle of its gzipped data.`,
      'Download or copy the file again, and wait until that is done.',
      { cause: error },
    );
  }
  if (typeof code === 'string' && code.startsWith('Z_')) {
    return new DatasetError(
      'corrupt',
      `${location} cannot be unpacked: its gzipped data is damaged.`,
      'Download or pack the file again.',
      { cause: error },
    );
  }
  return asDatasetError(error, location);
}
