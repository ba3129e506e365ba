/** Folders that hold the files of a dataset. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import { withDataset } from '../../../../src/dataset/withDataset.ts';
import { datasetFolder } from '../helpers/datasetFolder.ts';
import { FIXTURE_ROWS, datasetError, expectedRows } from '../helpers/fixtureRows.ts';
import { remedyText } from '../../../host/remedyText.ts';

const { signal } = new AbortController();

describe('a folder with files of tasks', () => {
  const { folder, put, copy } = datasetFolder();

  it('is its tasks.parquet, whatever other Parquet files lie beside it', async () => {
    copy('row-groups.parquet', 'tasks.parquet');
    copy('v1-none.parquet', 'other.parquet');
    await withDataset(folder(), signal, async (dataset) => {
      assert.equal(dataset.location, join(folder(), 'tasks.parquet'));
      assert.equal(dataset.rowCount, FIXTURE_ROWS);
    });
  });

  it('joins shards by name, in data/ as well', async () => {
    copy('v1-none.parquet', 'data/train-00000-of-00002.parquet');
    copy('row-groups.parquet', 'data/train-00001-of-00002.parquet');
    put('README.md', 'a dataset card');
    await withDataset(folder(), signal, async (dataset) => {
      assert.equal(dataset.format, 'parquet');
      assert.equal(dataset.rowCount, 2 * FIXTURE_ROWS);
      const paths = await dataset.paths();
      assert.deepEqual(paths.rowsOf('task-0003'), [3, FIXTURE_ROWS + 3]);
      const task = expectedRows()[3]?.task;
      for (const row of paths.rowsOf('task-0003')) {
        const content = await dataset.readTask(row);
        assert.deepEqual(content.kind === 'archive' && Buffer.from(content.bytes), task);
      }
      assert.equal((await dataset.extras(FIXTURE_ROWS + 6))['score'], 3);
      assert.equal((await datasetError(dataset.readTask(2 * FIXTURE_ROWS))).code, 'no-such-row');
    });
  });

  it("is what Hugging Face's datasets saves, its cache files left out", async () => {
    copy('stream-batches.arrow', 'data-00000-of-00002.arrow');
    copy('stream.arrow', 'data-00001-of-00002.arrow');
    copy('stream.arrow', 'cache-0123456789abcdef.arrow');
    put('dataset_info.json', '{}');
    put('state.json', '{}');
    await withDataset(folder(), signal, async (dataset) => {
      assert.equal(dataset.format, 'arrow');
      assert.equal(dataset.rowCount, 2 * FIXTURE_ROWS);
    });
  });

  it('asks which one when several folders in it hold datasets', async () => {
    copy('v1-none.parquet', 'dcagent__one/tasks.parquet');
    copy('v1-none.parquet', 'laion__two/tasks.parquet');
    const error = await datasetError(openDataset(folder()));
    assert.equal(error.message, `${folder()} holds 2 datasets: dcagent__one and laion__two.`);
    assert.equal(remedyText(error.remedies), 'Open one of these folders.');
  });

  it('names the shard that cannot be opened', async () => {
    copy('v1-none.parquet', 'a.parquet');
    put('b.parquet', '');
    const error = await datasetError(openDataset(folder()));
    assert.equal(error.message, `${join(folder(), 'b.parquet')} is empty.`);
  });
});
