/** Decompresses pages into exactly as many bytes as the page's header says, so that no page grows beyond that. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { CompressionCodec, Compressors } from 'hyparquet';
import { decompressLz4, decompressLz4Raw, decompressZstd } from 'hyparquet-compressors';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { Corrupt, Unsupported } from '../formatErrors.ts';

/** Snappy is hyparquet's own; gzip and brotli are Node's, which are faster and cost nothing in the bundle. */
const DECOMPRESSORS: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(length, 1) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(length, 1) }),
  ZSTD: (input, length) => decompressZstd(input, new Uint8Array(length)),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
};
const SUPPORTED = new Set<string>(['UNCOMPRESSED', 'SNAPPY', ...Object.keys(DECOMPRESSORS)]);

/** Decompresses one page. Throws `Unsupported` for a codec such as LZO, `Corrupt` for bad data. */
export function decompress(bytes: Uint8Array, length: number, codec: CompressionCodec): Uint8Array {
  if (!SUPPORTED.has(codec)) {
    throw new Unsupported(`the compression codec ${String(codec)} is not supported`);
  }
  if (length === 0) return new Uint8Array(0);
  try {
    return decompressPage(bytes, length, codec, DECOMPRESSORS);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Corrupt(`a page cannot be decompressed (${why})`, { cause: error });
  }
}
