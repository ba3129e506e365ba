/** Parquet and Arrow files as pyarrow writes them, one fixture per shape. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { openDataset } from '../../../src/dataset/openDataset.ts';
import { FIXTURE_ROWS, actualRows, expectedRows, fixtureFile } from './fixtureRows.ts';

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
