/** What makes a written Parquet file quick to open: groups of 500 rows, and an index of every page. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeyValue, parquetMetadata, readColumnIndex, readOffsetIndex } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readParquet } from 'parquet-wasm/node';
import { tableFromIPC } from 'apache-arrow';
import { type ByteSource, openFile } from '../../../../../src/dataset/byteSource.ts';
import { DEFAULT_LIMITS } from '../../../../../src/dataset/dataset.ts';
import { openParquet } from '../../../../../src/dataset/parquetDataset.ts';
import { writeAnew } from '../../helpers/writeAnew.ts';

const ROWS = 1234;
const CELL_BYTES = 3000;
const PAGE_BYTES = 256 * 1024;

describe('a written Parquet file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-write-'));
  const target = join(folder, 'target.parquet');
  const kvMetadata: KeyValue[] = [{ key: 'huggingface', value: '{"info":{"features":{}}}' }, { key: 'note' }];

  before(async () => {
    const source = join(folder, 'source.parquet');
    const rows = Array.from({ length: ROWS }, (_, row) => row);
    const bytes = parquetWriteBuffer({
      columnData: [
        { name: 'score', data: rows.map((row) => (row % 3 === 0 ? null : row / 7)), type: 'DOUBLE' },
        { name: 'path', data: rows.map((row) => `task-${row}`), type: 'STRING' },
        { name: 'task_binary', data: rows.map((row) => cell(row)), type: 'BYTE_ARRAY' },
        { name: 'number', data: rows.map((row) => BigInt(row) - 600n), type: 'INT64' },
      ],
      kvMetadata,
    });
    writeFileSync(source, new Uint8Array(bytes));
    await writeAnew(source, target);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const metadata = () => parquetMetadata(arrayBuffer(readFileSync(target)));

  it('has groups of 500 rows, the last one with what is left', () => {
    assert.deepEqual(
      metadata().row_groups.map(({ num_rows: rows }) => Number(rows)),
      [500, 500, 234],
    );
  });

  it('keeps columns in order and the metadata of the source', () => {
    const { schema, key_value_metadata: keyValues } = metadata();
    assert.deepEqual(
      schema.map(({ name }) => name),
      ['root', 'score', 'path', 'task_binary', 'number'],
    );
    assert.deepEqual(keyValues, [kvMetadata[0], { key: 'note', value: undefined }]);
  });

  it('has an offset index and a column index that fit the pages', () => {
    const bytes = readFileSync(target);
    for (const group of metadata().row_groups) {
      for (const { meta_data: meta, ...chunk } of group.columns) {
        const name = meta?.path_in_schema.join('.') ?? '';
        const pages = readOffsetIndex(
          part(bytes, chunk.offset_index_offset, chunk.offset_index_length),
        ).page_locations;
        assert.equal(pages[0]?.offset, meta?.data_page_offset, name);
        assert.equal(pages[0]?.first_row_index, 0n);
        const end = Number(meta?.data_page_offset) + Number(meta?.total_compressed_size);
        const last = pages.at(-1);
        assert.equal(Number(last?.offset) + Number(last?.compressed_page_size), end, name);
        // Floating-point numbers may be NaN, so their pages have no bounds.
        assert.equal(chunk.column_index_offset === undefined, name === 'score');
        if (name === 'score') continue;
        const index = readColumnIndex(
          part(bytes, chunk.column_index_offset, chunk.column_index_length),
          metadata().schema.find((element) => element.name === name) ?? { name },
        );
        assert.equal(index.min_values.length, pages.length);
        assert.deepEqual(
          index.null_counts,
          pages.map(() => 0n),
        );
      }
    }
  });

  it('cuts large columns into pages, so that a cell costs a page', () => {
    const tasks = metadata().row_groups[0]?.columns[2];
    const index = readOffsetIndex(
      part(readFileSync(target), tasks?.offset_index_offset, tasks?.offset_index_length),
    );
    assert.equal(index.page_locations.length, Math.ceil((500 * (CELL_BYTES + 4)) / PAGE_BYTES));
  });

  it('gives a cell without a walk over page headers', async () => {
    const source = counting(await openFile(target));
    const dataset = await openParquet(source, DEFAULT_LIMITS);
    source.reads.length = 0;
    const row = await dataset.readTask(1100);
    assert.deepEqual(row, { kind: 'archive', bytes: cell(1100) });
    assert.ok(source.reads.every(({ how }) => how === 'read'));
    const total = source.reads.reduce((bytes, { length }) => bytes + length, 0);
    assert.ok(total < 2 * PAGE_BYTES, `${total} bytes were read`);
    await dataset.close();
  });

  it('is read by another reader, row by row the same', () => {
    const table = tableFromIPC(readParquet(readFileSync(target)).intoIPCStream());
    assert.equal(table.numRows, ROWS);
    for (const row of [0, 499, 500, 999, 1000, 1233]) {
      assert.deepEqual(Buffer.from(table.getChild('task_binary')?.get(row)), Buffer.from(cell(row)));
      assert.equal(table.getChild('score')?.get(row), row % 3 === 0 ? null : row / 7);
      assert.equal(table.getChild('number')?.get(row), BigInt(row) - 600n);
    }
  });
});

/** Bytes that do not compress, and are another row's nowhere. */
function cell(row: number): Uint8Array {
  let state = row + 1;
  return Uint8Array.from({ length: CELL_BYTES }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

function part(bytes: Buffer, offset: bigint | undefined, length: number | undefined) {
  assert.ok(offset !== undefined && length !== undefined && length > 0, 'the index is missing');
  return { view: new DataView(arrayBuffer(bytes), Number(offset), length), offset: 0 };
}

function arrayBuffer(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}

type Read = { readonly how: 'read' | 'readSmall'; readonly length: number };

function counting(source: ByteSource): ByteSource & { reads: Read[] } {
  const reads: Read[] = [];
  return {
    location: source.location,
    size: source.size,
    reads,
    read: (offset, length, signal) => {
      reads.push({ how: 'read', length });
      return source.read(offset, length, signal);
    },
    readSmall: (offset, length) => {
      reads.push({ how: 'readSmall', length });
      return source.readSmall(offset, length);
    },
    close: () => source.close(),
  };
}
