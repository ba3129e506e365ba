/** Arrow files as apache-arrow's own JavaScript writes them: the schema is in the footer only. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Binary,
  Dictionary,
  Int32,
  RecordBatchFileWriter,
  Table,
  Utf8,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow';
import { DatasetError } from '../../../src/dataset/datasetError.ts';
import { openDataset } from '../../../src/dataset/openDataset.ts';
import { datasetError } from './fixtureRows.ts';

const word = new Dictionary(new Utf8(), new Int32(), 5);

describe('an Arrow file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-arrow-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('of apache-arrow is opened by the schema in its footer', async () => {
    const file = join(folder, 'footer.arrow');
    writeFileSync(file, tableToIPC(tableOf(['one', 'two', 'one']), 'file'));
    const dataset = await openDataset(file);
    const paths = await dataset.paths();
    assert.deepEqual(dataset.columns, ['path', 'task_binary', 'word']);
    assert.deepEqual([paths.pathAt(0), paths.pathAt(2)], ['task-0', 'task-2']);
    assert.deepEqual(await dataset.readTask(1), { kind: 'archive', bytes: Buffer.from('task two') });
    assert.deepEqual(await dataset.extras(2), { word: 'one' });
    await dataset.close();
  });

  it('of apache-arrow may have no rows', async () => {
    const file = join(folder, 'empty.arrow');
    writeFileSync(
      file,
      RecordBatchFileWriter.writeAll(new Table(tableOf(['one']).schema)).toUint8Array(true),
    );
    const dataset = await openDataset(file);
    assert.equal(dataset.rowCount, 0);
    assert.deepEqual(dataset.columns, ['path', 'task_binary', 'word']);
    await dataset.close();
  });

  it('with a damaged footer is told as damaged, whichever byte it is', async () => {
    const file = join(folder, 'damaged.arrow');
    const whole = Buffer.from(tableToIPC(tableOf(['one']), 'file'));
    const footer = whole.length - 10 - whole.readUInt32LE(whole.length - 10);
    for (let at = footer; at < whole.length - 10; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] = 0xff;
      writeFileSync(file, bytes);
      // Not every byte matters: some are padding, some positions of batches, which are not looked at.
      const closed = openDataset(file).then((dataset) => dataset.close());
      await closed.catch((error: unknown) => assert.ok(error instanceof DatasetError, String(error)));
    }
    whole.fill(0xff, footer, whole.length - 10);
    writeFileSync(file, whole);
    assert.equal((await datasetError(openDataset(file))).code, 'corrupt');
  });
});

function tableOf(words: readonly string[]): Table {
  return new Table({
    path: vectorFromArray(
      words.map((_, row) => `task-${row}`),
      new Utf8(),
    ),
    task_binary: vectorFromArray(
      words.map((each) => Buffer.from(`task ${each}`)),
      new Binary(),
    ),
    word: vectorFromArray(words, word),
  });
}
