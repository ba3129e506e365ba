/** A Parquet file that is being written: row group after row group, in each leaf after leaf, in each page after page. */
import type { CompressionCodec, KeyValue, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';
import type { LeafColumn } from '../../parquet/footer.ts';
import type { Entries } from '../entries.ts';
import type { FileSink } from '../fileSink.ts';
import type { Bounds } from './bounds.ts';
import { boundsOf, hasBounds } from './bounds.ts';
import { compressionLike } from './compress.ts';
import type { Compression } from './compress.ts';
import { writeDataPage } from './dataPage.ts';
import { fileMetadata } from './footerStructs.ts';
import type { WrittenChunk, WrittenGroup } from './footerStructs.ts';
import { cutPages } from './pageBuilder.ts';
import { columnIndexBytes, offsetIndexBytes } from './pageIndex.ts';
import type { IndexedPage } from './pageIndex.ts';

const MAGIC = Buffer.from('PAR1');

/** A leaf and its codec in the source; a leaf from another format has none. */
export interface WrittenLeaf {
  readonly leaf: LeafColumn;
  readonly codec: CompressionCodec | undefined;
}

type PendingChunk = Omit<WrittenChunk, 'offsetIndex' | 'columnIndex'> & {
  readonly pages: readonly IndexedPage[];
};

export class ParquetFile {
  readonly #sink: FileSink;
  readonly #leaves: readonly (WrittenLeaf & { readonly compression: Compression })[];
  readonly #groups: { rows: number; chunks: PendingChunk[] }[] = [];

  /** Begins the file. `leaves` are all leaves of the schema, in its order. */
  static async begin(sink: FileSink, leaves: readonly WrittenLeaf[]): Promise<ParquetFile> {
    await sink.write(MAGIC);
    return new ParquetFile(sink, leaves);
  }

  private constructor(sink: FileSink, leaves: readonly WrittenLeaf[]) {
    this.#sink = sink;
    this.#leaves = leaves.map((written) => ({ ...written, compression: compressionLike(written.codec) }));
  }

  /** Writes the next row group; `entriesOf` gives the entries of each leaf, one leaf after the other. */
  async writeGroup(rows: number, entriesOf: (leaf: LeafColumn) => AsyncIterable<Entries>): Promise<void> {
    const chunks: PendingChunk[] = [];
    for (const { leaf, compression } of this.#leaves) {
      chunks.push(await this.#writeChunk(leaf, compression, entriesOf(leaf)));
    }
    this.#groups.push({ rows, chunks });
  }

  /** Writes the page index and the footer. */
  async finish(schema: readonly SchemaElement[], keyValues: readonly KeyValue[]): Promise<void> {
    const groups: WrittenGroup[] = [];
    for (const { rows, chunks } of this.#groups) {
      const written: WrittenChunk[] = [];
      for (const { pages, ...chunk } of chunks) {
        const columnIndex = columnIndexBytes(pages);
        written.push({
          ...chunk,
          columnIndex: columnIndex && (await this.#put(columnIndex)),
          offsetIndex: await this.#put(offsetIndexBytes(pages)),
        });
      }
      groups.push({ rows, chunks: written });
    }
    const footer = new ByteWriter();
    serializeTCompactProtocol(footer, fileMetadata(schema, groups, keyValues));
    footer.appendUint32(footer.offset);
    await this.#sink.write(footer.getBytes());
    await this.#sink.write(MAGIC);
  }

  async #writeChunk(
    leaf: LeafColumn,
    { codec, compress }: Compression,
    entries: AsyncIterable<Entries>,
  ): Promise<PendingChunk> {
    const offset = this.#sink.position;
    const pages: IndexedPage[] = [];
    const bounded = hasBounds(leaf.element);
    let [rows, values, nulls, uncompressedBytes] = [0, 0, 0, 0];
    for await (const content of cutPages(leaf, entries)) {
      const { bytes, uncompressedBytes: size } = writeDataPage(leaf, content, compress);
      const isNull = content.values.length === 0;
      const bounds = bounded && !isNull ? boundsOf(leaf.element, content.values) : undefined;
      pages.push({ ...(await this.#put(bytes)), firstRow: rows, nulls: content.nulls, isNull, bounds });
      rows += content.rows;
      values += content.values.length;
      nulls += content.nulls;
      uncompressedBytes += size;
    }
    return {
      leaf,
      codec,
      offset,
      bytes: this.#sink.position - offset,
      uncompressedBytes,
      entries: values + nulls,
      nulls,
      bounds: chunkBounds(leaf.element, pages),
      pages,
    };
  }

  async #put(bytes: Uint8Array): Promise<{ offset: number; length: number }> {
    const offset = this.#sink.position;
    await this.#sink.write(bytes);
    return { offset, length: bytes.length };
  }
}

/** Of texts and bytes only: those of numbers would have to be decoded again to be compared. */
function chunkBounds({ type }: SchemaElement, pages: readonly IndexedPage[]): Bounds | undefined {
  const filled = pages.filter(({ isNull }) => !isNull);
  const bounds = filled.flatMap(({ bounds: own }) => own ?? []);
  const [first] = bounds;
  if (type !== 'BYTE_ARRAY' || first === undefined || bounds.length < filled.length) return undefined;
  return bounds.reduce(
    (all, own) => ({
      min: Buffer.compare(own.min, all.min) < 0 ? own.min : all.min,
      max: Buffer.compare(own.max, all.max) > 0 ? own.max : all.max,
    }),
    first,
  );
}
