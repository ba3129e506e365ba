/** Whatever is written is read back, and whatever is damaged ends with a DatasetError, soon. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { DatasetError } from '../../../src/dataset/datasetError.ts';
import { openDataset } from '../../../src/dataset/openDataset.ts';
import { fixtureFile } from './helpers/fixtureRows.ts';

const CODECS = ['SNAPPY', 'UNCOMPRESSED'] as const;

describe('datasets of any content', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-dataset-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('gives back the rows that were written', async () => {
    const file = join(folder, 'random.parquet');
    const row = fc.record({
      path: fc.string({ unit: 'grapheme', maxLength: 30 }),
      task: fc.option(fc.uint8Array({ maxLength: 200 }), { freq: 6 }),
    });
    const layout = fc.record({
      codec: fc.constantFrom(...CODECS),
      pageSize: fc.integer({ min: 1, max: 600 }),
      rowGroupSize: fc.integer({ min: 1, max: 30 }),
      offsetIndex: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 60 }), layout, async (rows, options) => {
        const { codec, pageSize, rowGroupSize, offsetIndex } = options;
        const bytes = parquetWriteBuffer({
          columnData: [
            { name: 'path', data: rows.map(({ path }) => path), type: 'STRING', offsetIndex },
            { name: 'task_binary', data: rows.map(({ task }) => task), type: 'BYTE_ARRAY', offsetIndex },
          ],
          codec,
          pageSize,
          rowGroupSize,
        });
        writeFileSync(file, new Uint8Array(bytes));
        const dataset = await openDataset(file);
        const paths = await dataset.paths();
        assert.deepEqual(
          paths.slice(0, rows.length),
          rows.map(({ path }) => path),
        );
        for (const [index, { task }] of [...rows.entries()].reverse()) {
          if (task === null) await assert.rejects(dataset.readTask(index), { code: 'null-cell' });
          else
            assert.deepEqual(await dataset.readTask(index), {
              kind: 'archive',
              bytes: Uint8Array.from(task),
            });
        }
        await dataset.close();
      }),
      { numRuns: 60 },
    );
  });

  for (const name of [
    'v1-snappy.parquet',
    'pages-with-index.parquet',
    'file-batches.arrow',
    'stream.arrow',
  ]) {
    const whole = readFileSync(fixtureFile(name));

    it(`refuses ${name} cut at any byte`, async () => {
      const file = join(folder, `cut-${name}`);
      for (let length = 0; length < whole.length; length += 61) {
        writeFileSync(file, whole.subarray(0, length));
        assert.ok((await orDatasetError(openDataset(file))) instanceof DatasetError, `cut at ${length}`);
      }
    });

    it(`reads or refuses ${name} with bytes changed`, async () => {
      const file = join(folder, `changed-${name}`);
      const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          writeFileSync(file, bytes);
          await readAll(file);
        }),
        { numRuns: 40, endOnFailure: true },
      );
    });
  }
});

/** Lists, and reads some rows; any error but a DatasetError fails the test. */
async function readAll(file: string): Promise<void> {
  const opened = await orDatasetError(openDataset(file));
  if (opened instanceof DatasetError) return;
  await orDatasetError(opened.paths());
  for (const row of [0, 2, 5, 13, 23]) {
    await orDatasetError(opened.readTask(row));
    await orDatasetError(opened.extras(row));
  }
  await opened.close();
}

async function orDatasetError<T>(work: Promise<T>): Promise<T | DatasetError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DatasetError) return error;
    throw error;
  }
}
