/** Compresses pages with the codec of the source where this Node can, else with snappy. */
import * as zlib from 'node:zlib';
import type { CompressionCodec } from 'hyparquet';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';

/** The compressed bytes, or `undefined` to store them as they are. */
export type Compressor = (bytes: Uint8Array) => Uint8Array | undefined;

export interface Compression {
  readonly codec: CompressionCodec;
  readonly compress: Compressor;
}

/** Zstandard came to Node's zlib in 22.15 (https://nodejs.org/api/zlib.html#zlibzstdcompresssyncbuffer-options). */
const zstd: unknown = Reflect.get(zlib, 'zstdCompressSync');

/** How a column that was compressed with `codec` is compressed again. */
export function compressionLike(codec: CompressionCodec | undefined): Compression {
  if (codec === 'UNCOMPRESSED') return { codec, compress: () => undefined };
  if (codec === 'GZIP') return { codec, compress: (bytes) => zlib.gzipSync(bytes) };
  if (codec === 'BROTLI') return { codec, compress: brotli };
  if (codec === 'ZSTD' && typeof zstd === 'function') {
    return { codec, compress: (bytes) => asBytes(Reflect.apply(zstd, undefined, [bytes])) };
  }
  return { codec: 'SNAPPY', compress: snappyCompress };
}

function brotli(bytes: Uint8Array): Uint8Array {
  // The default quality, 11, takes seconds per megabyte.
  return zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } });
}

function asBytes(value: unknown): Uint8Array | undefined {
  return value instanceof Uint8Array ? value : undefined;
}
