/**
 * Integers of the encoding DELTA_BINARY_PACKED, unpacked by hyparquet. It takes the header at its word, so that the
 * header is checked first: no memory is taken for values that the bytes cannot hold.
 * Format: https://parquet.apache.org/docs/file-format/data-pages/encodings/#delta-encoding-delta_binary_packed--5
 */
import type { DataReader } from 'hyparquet';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { Corrupt } from '../formatErrors.ts';

/** The next `count` integers of 32 bits; `reader` is behind them then. Throws `Corrupt`. */
export function readDelta32(reader: DataReader, count: number): Int32Array {
  return unpack(reader, count, (length) => new Int32Array(length));
}

/** The same for integers of 64 bits. */
export function readDelta64(reader: DataReader, count: number): BigInt64Array {
  return unpack(reader, count, (length) => new BigInt64Array(length));
}

function unpack<T extends Int32Array | BigInt64Array>(
  reader: DataReader,
  count: number,
  allocate: (length: number) => T,
): T {
  if (count === 0) return allocate(0);
  try {
    checkHeader({ ...reader }, count);
    const values = allocate(count);
    deltaBinaryUnpack(reader, count, values);
    return values;
  } catch (error) {
    if (error instanceof RangeError) throw new Corrupt('the packed numbers of a page are cut off');
    throw error;
  }
}

/** Every block behind the first value has its smallest delta, a byte or more, and a width for each miniblock. */
function checkHeader(reader: DataReader, count: number): void {
  const blockSize = readVarInt(reader);
  const miniblocks = readVarInt(reader);
  const miniblockSize = blockSize / miniblocks;
  if (!(blockSize > 0 && miniblocks > 0 && miniblockSize % 8 === 0))
    throw new Corrupt(`a page has blocks of ${blockSize} packed numbers in ${miniblocks} parts`);
  const blocks = Math.ceil((count - 1) / blockSize);
  if (blocks * (1 + miniblocks) > reader.view.byteLength - reader.offset)
    throw new Corrupt(`a page is too short for its ${count} packed numbers`);
}
