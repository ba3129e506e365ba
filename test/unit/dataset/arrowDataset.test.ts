/** Arrow files: with the schema in the footer only, as apache-arrow writes them, and with dictionaries. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Binary,
  Dictionary,
  Int32,
  RecordBatch,
  RecordBatchFileWriter,
  Table,
  Utf8,
  Vector,
  makeData,
  tableFromIPC,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow';
import { DatasetError } from '../../../src/dataset/datasetError.ts';
import { openDataset } from '../../../src/dataset/openDataset.ts';
import { FIXTURE_ROWS, actualRows, datasetError, expectedRows, fixtureFile } from './helpers/fixtureRows.ts';
import { writeAnew } from './helpers/writeAnew.ts';

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

  it('whose dictionary grows is written anew with all its words', async () => {
    const file = join(folder, 'grows.arrow');
    const target = join(folder, 'grown.arrow');
    const [first, more] = [['one', 'two'], ['three']].map((words) => vectorFromArray(words, new Utf8()));
    if (first === undefined || more === undefined) throw new Error('there are two dictionaries');
    const [plain] = tableOf(['one', 'two', 'one']).batches;
    if (plain === undefined) throw new Error('there is a batch');
    const batches = [first, new Vector([...first.data, ...more.data])].map((dictionary, index) => {
      const data = makeData({ type: word, length: 3, data: Int32Array.of(0, 1, 2 * index), dictionary });
      return new RecordBatch(
        plain.schema,
        plain.data.clone(plain.data.type, 0, 3, 0, plain.data.buffers, [
          ...plain.data.children.slice(0, 2),
          data,
        ]),
      );
    });
    writeFileSync(file, RecordBatchFileWriter.writeAll(batches).toUint8Array(true));
    await writeAnew(file, target);
    assert.equal(readFileSync(target, 'latin1').slice(0, 6), 'ARROW1');
    const words = ['one', 'two', 'one', 'one', 'two', 'three'];
    for (const each of [file, target]) {
      assert.deepEqual([...(tableFromIPC(readFileSync(each)).getChild('word') ?? [])], words);
      const dataset = await openDataset(each);
      assert.deepEqual(await dataset.extras(5), { word: 'three' });
      await dataset.close();
    }
  });

  it('of several with dictionaries of their own is written as one stream', async () => {
    const shards = join(folder, 'shards');
    const target = join(folder, 'one.arrow');
    mkdirSync(shards);
    for (const name of ['0.arrow', '1.arrow'])
      copyFileSync(fixtureFile('dictionary-file.arrow'), join(shards, name));
    await writeAnew(shards, target);
    const rows = expectedRows({ repeated: true, text: false });
    const dataset = await openDataset(target);
    assert.deepEqual(await actualRows(dataset), [...rows, ...rows]);
    await dataset.close();
    const table = tableFromIPC(readFileSync(target));
    assert.equal(table.numRows, 2 * FIXTURE_ROWS);
    assert.deepEqual(
      [...(table.getChild('path') ?? [])],
      [...rows, ...rows].map(({ path }) => path),
    );
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
