/** The rows of Parquet files as they are stored: a schema, and the entries of each leaf. */
import type { KeyValue, SchemaElement } from 'hyparquet';
import type { ByteSource } from '../../byteSource.ts';
import { openFile } from '../../byteSource.ts';
import { rowError } from '../../tables/columns.ts';
import { DEFAULT_LIMITS } from '../../dataset.ts';
import { ColumnReader } from '../../parquet/columnReader.ts';
import type { LeafColumn, ParquetFooter } from '../../parquet/footer.ts';
import { readFooter } from '../../parquet/footer.ts';
import type { Page } from '../../parquet/page.ts';
import { PAGE_HEADROOM } from '../../parquetDataset.ts';
import type { Entries } from '../entries.ts';
import type { ColumnShape } from '../writeErrors.ts';
import { refuseOtherColumns } from '../writeErrors.ts';
import { LeafCursor } from './leafCursor.ts';
import type { WrittenLeaf } from './parquetFile.ts';

/** Rows in Parquet's own terms. Each leaf is read from its first row to its last. */
export interface ParquetRows {
  readonly schema: readonly SchemaElement[];
  readonly leaves: readonly WrittenLeaf[];
  readonly keyValues: readonly KeyValue[];
  /** The next `rows` rows of one leaf. */
  take(leaf: LeafColumn, rows: number, signal?: AbortSignal): AsyncIterable<Entries>;
  close(): Promise<void>;
}

interface OpenFile {
  readonly source: ByteSource;
  readonly footer: ParquetFooter;
}

/** Opens `files`, at least one, as one table. Throws `DatasetError`, also when they do not have the same columns. */
export async function openParquetRows(files: readonly string[], signal?: AbortSignal): Promise<ParquetRows> {
  const opened: OpenFile[] = [];
  const close = async (): Promise<void> => {
    for (const { source } of opened) await source.close();
  };
  try {
    for (const file of files) {
      const source = await openFile(file);
      const own = { source, footer: await readFooter(source, signal).catch(closing(source)) };
      opened.push(own);
      refuseOtherColumns(file, shapesOf(own), shapesOf(opened[0] ?? own));
    }
    const [first] = opened;
    if (first === undefined) throw new RangeError('there are no files');
    const { schema, keyValues, leaves } = first.footer;
    const cursors = new Map(leaves.map((leaf) => [leaf, cursorOf(opened, leaf, signal)]));
    return {
      schema,
      keyValues,
      leaves: leaves.map((leaf) => ({ leaf, codec: codecOf(opened, leaf) })),
      take: (leaf, rows, abort) => cursors.get(leaf)?.take(rows, abort) ?? nothing(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function closing(source: ByteSource): (error: unknown) => Promise<never> {
  return async (error) => {
    await source.close();
    throw error;
  };
}

function cursorOf(files: readonly OpenFile[], leaf: LeafColumn, signal?: AbortSignal): LeafCursor {
  async function* pages(): AsyncGenerator<Page> {
    for (const { source, footer } of files) {
      const reader = new ColumnReader(source, footer, leaf, DEFAULT_LIMITS.cellBytes + PAGE_HEADROOM);
      try {
        yield* reader.pages(signal);
      } catch (error) {
        throw rowError(error, source.location, leaf.path.join('.'));
      }
    }
  }
  return new LeafCursor(leaf, pages());
}

async function* nothing(): AsyncGenerator<Entries> {}

function codecOf(files: readonly OpenFile[], leaf: LeafColumn): WrittenLeaf['codec'] {
  const chunks = files.flatMap(({ footer }) => footer.groups.map((group) => group.chunks[leaf.index]));
  return chunks.find((chunk) => chunk?.meta_data !== undefined)?.meta_data?.codec;
}

function shapesOf({ footer }: OpenFile): ColumnShape[] {
  return footer.schema.slice(1).map((element) => ({ name: element.name, shape: JSON.stringify(element) }));
}
