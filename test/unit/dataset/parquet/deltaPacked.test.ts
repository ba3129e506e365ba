/** Packed numbers of a page, whose header is not taken at its word. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { ExtraValue } from '../../../../src/dataset/dataset.ts';
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import { readDelta32 } from '../../../../src/dataset/parquet/deltaPacked.ts';

const ROWS = 300;
/** Blocks of 128 numbers in 4 parts, of 300 numbers. */
const HEADER = Buffer.from([0x80, 0x01, 0x04, 0xac, 0x02]);

describe('packed numbers of a Parquet page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-delta-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const type of ['INT32', 'INT64'] as const) {
    it(`are read, and a header that cannot be is damage (${type})`, async () => {
      assert.deepEqual(await lastNumber(type, HEADER), 299 * 7);
      for (const [header, because] of [
        [[0x80, 0x01, 0x00], 'a page has blocks of 128 packed numbers in 0 parts'],
        [[0x00, 0x80, 0x01], 'a page has blocks of 0 packed numbers in 128 parts'],
        [[0x04, 0x82, 0x00], 'a page has blocks of 4 packed numbers in 2 parts'],
      ] as const) {
        assert.equal(await lastNumber(type, Buffer.from(header)), `(not shown: ${because})`);
      }
    });
  }

  it('are refused before memory is taken for what no page of that size can hold', () => {
    const page = Buffer.from([0x80, 0x01, 0x04, 0, 0, 0]);
    const reader = { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0 };
    assert.throws(() => readDelta32(reader, 2 ** 32), {
      message: 'a page is too short for its 4294967296 packed numbers',
    });
  });

  /** What is shown of the last number of a file whose page of numbers begins with `header`. */
  async function lastNumber(type: 'INT32' | 'INT64', header: Uint8Array): Promise<ExtraValue | undefined> {
    const numbers = Array.from({ length: ROWS }, (_, row) => row * 7);
    const data = type === 'INT32' ? numbers : numbers.map(BigInt);
    const tasks = numbers.map(() => Buffer.from('task'));
    const file = Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'path', data: numbers.map((number) => `task-${number}`) },
          { name: 'task_binary', data: tasks },
          { name: 'number', data, type, nullable: false, encoding: 'DELTA_BINARY_PACKED' },
        ],
        codec: 'UNCOMPRESSED',
      }),
    );
    const at = file.indexOf(HEADER);
    assert.ok(at > 0 && file.indexOf(HEADER, at + 1) < 0);
    file.set(header, at);
    const location = join(folder, `${type}.parquet`);
    writeFileSync(location, file);
    const dataset = await openDataset(location);
    try {
      return (await dataset.extras(ROWS - 1))['number'];
    } finally {
      await dataset.close();
    }
  }
});
