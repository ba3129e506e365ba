/** Folders: one task, task folders, and folders that hold the files of a dataset. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Dataset } from '../../../src/dataset/dataset.ts';
import { openDataset } from '../../../src/dataset/openDataset.ts';
import { FIXTURE_ROWS, datasetError, expectedRows, fixtureFile } from './fixtureRows.ts';
import { remedyText } from '../../host/remedyText.ts';

describe('a folder', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'repair-bench-folder-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is one task when it has instruction.md or task.toml', async () => {
    for (const marker of ['instruction.md', 'task.toml']) {
      put(`${marker}-task/${marker}`, 'x');
      const dataset = await openDataset(join(folder, `${marker}-task`));
      assert.equal(dataset.format, 'task-folder');
      assert.deepEqual(await pathsOf(dataset), [`${marker}-task`]);
      assert.deepEqual(await dataset.readTask(0), { kind: 'folder', dir: join(folder, `${marker}-task`) });
    }
  });

  it('is a dataset of the task folders below it, sorted, hidden folders left out', async () => {
    for (const task of ['b', 'a', 'more/c', '.git/d']) put(`${task}/instruction.md`, 'x');
    put('a/tests/instruction.md', 'part of task a');
    put('empty/README.md', 'x');
    const dataset = await openDataset(folder);
    assert.equal(dataset.format, 'folder');
    assert.deepEqual(await pathsOf(dataset), ['a', 'b', 'more/c']);
    assert.deepEqual(await dataset.readTask(2), { kind: 'folder', dir: join(folder, 'more', 'c') });
    assert.deepEqual(await dataset.extras(0), {});
  });

  it('keeps other rows readable when one task folder is gone', async () => {
    for (const task of ['a', 'b']) put(`${task}/instruction.md`, 'x');
    const dataset = await openDataset(folder);
    rmSync(join(folder, 'a'), { recursive: true });
    const error = await datasetError(dataset.readTask(0));
    assert.equal(error.code, 'not-found');
    assert.equal(error.message, `${join(folder, 'a')} does not exist.`);
    assert.equal((await dataset.readTask(1)).kind, 'folder');
  });

  it('is its tasks.parquet, whatever other Parquet files lie beside it', async () => {
    copy('row-groups.parquet', 'tasks.parquet');
    copy('v1-none.parquet', 'other.parquet');
    await withDataset(folder, async (dataset) => {
      assert.equal(dataset.location, join(folder, 'tasks.parquet'));
      assert.equal(dataset.rowCount, FIXTURE_ROWS);
    });
  });

  it('joins shards by name, in data/ as well', async () => {
    copy('v1-none.parquet', 'data/train-00000-of-00002.parquet');
    copy('row-groups.parquet', 'data/train-00001-of-00002.parquet');
    put('README.md', 'a dataset card');
    await withDataset(folder, async (dataset) => {
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
    await withDataset(folder, async (dataset) => {
      assert.equal(dataset.format, 'arrow');
      assert.equal(dataset.rowCount, 2 * FIXTURE_ROWS);
    });
  });

  it('asks which one when several folders in it hold datasets', async () => {
    copy('v1-none.parquet', 'dcagent__one/tasks.parquet');
    copy('v1-none.parquet', 'laion__two/tasks.parquet');
    const error = await datasetError(openDataset(folder));
    assert.equal(error.message, `${folder} holds 2 datasets: dcagent__one and laion__two.`);
    assert.equal(remedyText(error.remedies), 'Open one of these folders.');
  });

  it('names the shard that cannot be opened', async () => {
    copy('v1-none.parquet', 'a.parquet');
    put('b.parquet', '');
    const error = await datasetError(openDataset(folder));
    assert.equal(error.message, `${join(folder, 'b.parquet')} is empty.`);
  });

  it('is refused when it holds no tasks', async () => {
    put('src/main.py', 'x');
    const error = await datasetError(openDataset(folder));
    assert.equal(error.code, 'no-tasks');
    assert.match(
      error.message,
      /holds no tasks: neither it nor a folder in it has an instruction\.md or a task\.toml/,
    );
    assert.equal(
      remedyText(error.remedies),
      'Open a folder of task folders, or a folder with tasks.parquet.',
    );
  });

  function put(name: string, content: string): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }

  function copy(fixture: string, name: string): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(fixtureFile(fixture), join(folder, name));
  }
});

async function withDataset(location: string, check: (dataset: Dataset) => Promise<void>): Promise<void> {
  const dataset = await openDataset(location);
  try {
    await check(dataset);
  } finally {
    await dataset.close();
  }
}

async function pathsOf(dataset: Dataset): Promise<string[]> {
  return (await dataset.paths()).slice(0, dataset.rowCount);
}
