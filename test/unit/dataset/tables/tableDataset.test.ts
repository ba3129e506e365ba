/** Parquet and Arrow files as pyarrow writes them, one fixture per shape. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import { actualRows, datasetError, expectedRows, FIXTURE_ROWS, fixtureFile } from '../helpers/fixtureRows.ts';
import { smallParquet } from '../helpers/smallParquet.ts';
import { remedyText } from '../../../host/remedyText.ts';

const REPEATED = new Set(['repeated.parquet', 'dictionary.arrow', 'dictionary-file.arrow']);
const TEXT = /^(large-string|string-task)\./;

describe('a table of tasks', () => {
  for (const name of readdirSync(fixtureFile('')).filter((file) => /\.(parquet|arrow)$/.test(file))) {
    it(`is read the same from ${name}`, async () => {
      const dataset = await openDataset(fixtureFile(name));
      try {
        assert.equal(dataset.format, name.endsWith('.arrow') ? 'arrow' : 'parquet');
        assert.equal(dataset.rowCount, FIXTURE_ROWS);
        assert.deepEqual(dataset.columns, ['path', 'task_binary', 'score', 'tags', 'created']);
        const expected = expectedRows({ repeated: REPEATED.has(name), text: TEXT.test(name) });
        assert.deepEqual(await actualRows(dataset), expected);
        assert.deepEqual(await dataset.extras(6), {
          score: 3,
          tags: ['t6', null],
          created: '2024-01-01T06:00:00.000Z',
        });
        assert.deepEqual((await dataset.extras(2))['tags'], []);
        assert.equal((await dataset.extras(5))['score'], null);
      } finally {
        await dataset.close();
      }
    });
  }

  it('gives rows in any order, also several at once', async () => {
    const dataset = await openDataset(fixtureFile('pages-without-index.parquet'));
    const rows = [23, 0, 7, 11, 7, 22, 3];
    const contents = await Promise.all(rows.map((row) => dataset.readTask(row)));
    const expected = expectedRows();
    for (const [index, content] of contents.entries()) {
      assert.deepEqual(
        content.kind === 'archive' && Buffer.from(content.bytes),
        expected[rows[index] ?? 0]?.task,
      );
    }
    await dataset.close();
  });

  it('keeps rows that share a path apart', async () => {
    const dataset = await openDataset(fixtureFile('repeated.parquet'));
    const paths = await dataset.paths();
    assert.deepEqual(paths.rowsOf('task-0004'), [8, 9]);
    assert.notDeepEqual(await dataset.readTask(8), await dataset.readTask(9));
    await dataset.close();
  });
});

describe('a row that cannot be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-row-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const name of ['pages-with-index.parquet', 'stream.arrow']) {
    it(`has a null cell, and the others stay readable (${name})`, async () => {
      const file = fixtureFile(name);
      const dataset = await openDataset(file);
      const error = await datasetError(dataset.readTask(15));
      assert.equal(error.code, 'null-cell');
      assert.equal(error.message, `${file}, row 15: task_binary is null, so this row has no task.`);
      assert.equal((await dataset.readTask(16)).kind, 'archive');
      await dataset.close();
    });

    it(`is larger than the limit (${name})`, async () => {
      const file = fixtureFile(name);
      const dataset = await openDataset(file, { limits: { cellBytes: 100 } });
      const error = await datasetError(dataset.readTask(3));
      assert.equal(error.code, 'too-large');
      assert.equal(error.message, `${file}, row 3, column task_binary: it has 150 bytes, more than 100.`);
      assert.equal((await dataset.readTask(2)).kind, 'archive');
      await dataset.close();
    });

    it(`is not there (${name})`, async () => {
      const dataset = await openDataset(fixtureFile(name));
      const error = await datasetError(dataset.readTask(24));
      assert.equal(error.message, `${fixtureFile(name)} has no row 24: it has rows 0 to 23.`);
      await dataset.close();
    });

    it(`is of a dataset that was closed (${name})`, async () => {
      const dataset = await openDataset(fixtureFile(name));
      await dataset.close();
      await dataset.close();
      assert.equal((await datasetError(dataset.readTask(0))).code, 'closed');
    });

    it(`is no longer wanted (${name})`, async () => {
      const dataset = await openDataset(fixtureFile(name));
      const signal = AbortSignal.abort(new Error('not wanted'));
      await assert.rejects(dataset.readTask(0, signal), /not wanted/);
      await assert.rejects(dataset.paths(signal), /not wanted/);
      assert.equal((await dataset.paths()).length, 24);
      await dataset.close();
    });
  }

  it('lies in a damaged page, while rows in other pages stay readable', async () => {
    const bytes = readFileSync(fixtureFile('row-groups.parquet'));
    // The value of row 3, which lies in the first row group, is not compressible: its bytes are in the file.
    const at = bytes.indexOf(Buffer.from([93, 100, 107, 114, 121]));
    assert.ok(at > 0);
    bytes.fill(0xff, at - 30, at + 30);
    const file = join(folder, 'damaged.parquet');
    writeFileSync(file, bytes);
    const dataset = await openDataset(file);
    const error = await datasetError(dataset.readTask(3));
    assert.equal(error.code, 'corrupt');
    assert.match(error.message, /damaged\.parquet, row 3, column task_binary is damaged: /);
    assert.equal(
      remedyText(error.remedies),
      'Download or write the file again; rows in other parts of it may still be read.',
    );
    assert.equal((await dataset.readTask(12)).kind, 'archive');
    await dataset.close();
  });

  it('is compressed with a codec that is not supported', async () => {
    const bytes = Buffer.from(smallParquet({ path: ['a'], task_binary: ['b'] }, 'LZO'));
    const file = join(folder, 'lzo.parquet');
    writeFileSync(file, bytes);
    const dataset = await openDataset(file);
    const error = await datasetError(dataset.readTask(0));
    assert.equal(error.code, 'unsupported');
    assert.equal(
      error.message,
      `${file}, row 0, column task_binary: the compression codec LZO is not supported.`,
    );
    assert.equal(
      remedyText(error.remedies),
      'Write the file again with snappy or zstd compression and default encodings.',
    );
    await dataset.close();
  });
});
