import { parquetWriteBuffer } from 'hyparquet-writer';

/** A small Parquet file. With LZO its pages are not really compressed, which a reader cannot get to know. */
export function smallParquet(
  columns: Readonly<Record<string, readonly (string | number)[]>>,
  codec?: 'LZO',
): Uint8Array {
  const bytes = parquetWriteBuffer({
    columnData: Object.entries(columns).map(([name, data]) => ({ name, data: [...data] })),
    ...(codec === undefined ? {} : { codec, compressors: { LZO: (input: Uint8Array) => input } }),
  });
  return new Uint8Array(bytes);
}
