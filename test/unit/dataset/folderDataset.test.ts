/** Folders that are a task, or hold the folders of tasks. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset } from '../../../src/dataset/dataset.ts';
import { openDataset } from '../../../src/dataset/openDataset.ts';
import { datasetFolder } from './helpers/datasetFolder.ts';
import { datasetError } from './helpers/fixtureRows.ts';
import { remedyText } from '../../host/remedyText.ts';

describe('a folder of tasks', () => {
  const { folder, put } = datasetFolder();

  it('is one task when it has instruction.md or task.toml', async () => {
    for (const marker of ['instruction.md', 'task.toml']) {
      put(`${marker}-task/${marker}`, 'x');
      const dataset = await openDataset(join(folder(), `${marker}-task`));
      assert.equal(dataset.format, 'task-folder');
      assert.deepEqual(await pathsOf(dataset), [`${marker}-task`]);
      assert.deepEqual(await dataset.readTask(0), { kind: 'folder', dir: join(folder(), `${marker}-task`) });
    }
  });

  it('is a dataset of the task folders below it, sorted, hidden folders left out', async () => {
    for (const task of ['b', 'a', 'more/c', '.git/d']) put(`${task}/instruction.md`, 'x');
    put('a/tests/instruction.md', 'part of task a');
    put('empty/README.md', 'x');
    const dataset = await openDataset(folder());
    assert.equal(dataset.format, 'folder');
    assert.deepEqual(await pathsOf(dataset), ['a', 'b', 'more/c']);
    assert.deepEqual(await dataset.readTask(2), { kind: 'folder', dir: join(folder(), 'more', 'c') });
    assert.deepEqual(await dataset.extras(0), {});
  });

  it('keeps other rows readable when one task folder is gone', async () => {
    for (const task of ['a', 'b']) put(`${task}/instruction.md`, 'x');
    const dataset = await openDataset(folder());
    rmSync(join(folder(), 'a'), { recursive: true });
    const error = await datasetError(dataset.readTask(0));
    assert.equal(error.code, 'not-found');
    assert.equal(error.message, `${join(folder(), 'a')} does not exist.`);
    assert.equal((await dataset.readTask(1)).kind, 'folder');
  });

  it('is refused when it holds no tasks', async () => {
    put('src/main.py', 'x');
    const error = await datasetError(openDataset(folder()));
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
});

async function pathsOf(dataset: Dataset): Promise<string[]> {
  return (await dataset.paths()).slice(0, dataset.rowCount);
}
