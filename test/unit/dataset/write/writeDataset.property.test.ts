/** Whatever a table holds and however it is laid out, what is not replaced is the same afterwards. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Binary,
  Field,
  Float64,
  Int64,
  List,
  Struct,
  Table,
  Utf8,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import { otherTable } from '../helpers/otherReader.ts';
import { writeAnew } from '../helpers/writeAnew.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const bytes = fc.uint8Array({ maxLength: 60 });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 4 });

const row = fc.record({
  path: text,
  task: orNull(bytes),
  number: orNull(int64),
  small: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  real: orNull(fc.double({ noNaN: true })),
  flag: orNull(fc.boolean()),
  tags: orNull(fc.array(orNull(text), { maxLength: 4 })),
  nested: orNull(
    fc.record({ name: orNull(text), counts: orNull(fc.array(orNull(int64), { maxLength: 3 })) }),
  ),
});
const rows = fc.array(row, { minLength: 1, maxLength: 40 });
const replaced = fc.array(fc.tuple(fc.nat(39), bytes), { maxLength: 4 });

describe('tables of any content', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-anew-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are the same in Parquet, however the source is laid out', async () => {
    const layout = fc.record({
      codec: fc.constantFrom('SNAPPY' as const, 'UNCOMPRESSED' as const),
      pageSize: fc.integer({ min: 1, max: 600 }),
      rowGroupSize: fc.integer({ min: 1, max: 30 }),
      encoding: fc.constantFrom('PLAIN' as const, 'DELTA_BINARY_PACKED' as const, undefined),
    });
    const [source, target] = [join(folder, 'source.parquet'), join(folder, 'target.parquet')];
    await fc.assert(
      fc.asyncProperty(rows, replaced, layout, async (table, changes, { encoding, ...options }) => {
        const packed = encoding === undefined ? {} : { encoding };
        const written = parquetWriteBuffer({
          columnData: [
            { name: 'real', data: table.map(({ real }) => real), type: 'DOUBLE' },
            { name: 'path', data: table.map(({ path }) => path), type: 'STRING' },
            { name: 'number', data: table.map(({ number }) => number), type: 'INT64', ...packed },
            { name: 'task_binary', data: table.map(({ task }) => task), type: 'BYTE_ARRAY' },
            {
              name: 'small',
              data: table.map(({ small }) => small),
              type: 'INT32',
              nullable: false,
              ...packed,
            },
            { name: 'flag', data: table.map(({ flag }) => flag), type: 'BOOLEAN' },
          ],
          ...options,
        });
        writeFileSync(source, new Uint8Array(written));
        const news = newCells(table.length, changes);
        await writeAnew(source, target, news, { force: true });
        assert.deepEqual(
          await cells(target),
          table.map(({ task }, index) => hex(news.get(index) ?? task)),
        );
        const [before, after] = [await otherColumns(source), await otherColumns(target)];
        assert.deepEqual(after, before);
      }),
      { numRuns: 60 },
    );
  });

  it('are the same in Arrow, in Parquet and back, nested values as well', async () => {
    const [source, arrow, parquet, back] = ['source.arrow', 'a.arrow', 'p.parquet', 'back.arrow'].map(
      (name) => join(folder, name),
    ) as [string, string, string, string];
    const nested = new Struct([
      new Field('name', new Utf8(), true),
      new Field('counts', new List(new Field('item', new Int64(), true)), true),
    ]);
    await fc.assert(
      fc.asyncProperty(rows, replaced, fc.integer({ min: 1, max: 40 }), async (table, changes, batch) => {
        const batches: Table[] = [];
        for (let at = 0; at < table.length; at += batch) {
          const part = table.slice(at, at + batch);
          batches.push(
            new Table({
              path: vectorFromArray(
                part.map(({ path }) => path),
                new Utf8(),
              ),
              task_binary: vectorFromArray(
                part.map(({ task }) => task),
                new Binary(),
              ),
              real: vectorFromArray(
                part.map(({ real }) => real),
                new Float64(),
              ),
              tags: vectorFromArray(
                part.map(({ tags }) => tags),
                new List(new Field('item', new Utf8(), true)),
              ),
              nested: vectorFromArray(
                part.map((values) => values.nested),
                nested,
              ),
            }),
          );
        }
        const whole = new Table(batches.flatMap((part) => part.batches));
        writeFileSync(source, tableToIPC(whole, 'stream'));
        const news = newCells(table.length, changes);
        const expected = table.map(({ task }, index) => hex(news.get(index) ?? task));
        for (const [from, to] of [
          [source, arrow],
          [source, parquet],
          [parquet, back],
        ] as const) {
          await writeAnew(from, to, news, { force: true });
          assert.deepEqual(await cells(to), expected);
          assert.equal(plain(to), plain(source));
        }
      }),
      { numRuns: 40 },
    );
  });
});

function newCells(
  count: number,
  changes: readonly (readonly [number, Uint8Array])[],
): Map<number, Uint8Array> {
  return new Map(changes.filter(([index]) => index < count));
}

/** `task_binary` of every row as our own reader gives it. */
async function cells(file: string): Promise<(string | null)[]> {
  const dataset = await openDataset(file);
  const read: (string | null)[] = [];
  for (let index = 0; index < dataset.rowCount; index++) {
    const task = await dataset.readTask(index).catch(() => undefined);
    read.push(task?.kind === 'archive' ? hex(task.bytes) : null);
  }
  await dataset.close();
  return read;
}

/** The other columns of a Parquet file, as hyparquet gives them. */
async function otherColumns(file: string): Promise<unknown[]> {
  const content = new Uint8Array(readFileSync(file));
  return parquetReadObjects({ file: content.buffer, columns: ['real', 'path', 'number', 'small', 'flag'] });
}

/** The other columns as a reader that is not ours gives them, as text. */
function plain(file: string): string {
  const table = otherTable(file);
  const columns = ['path', 'real', 'tags', 'nested'].map((name) => table.getChild(name));
  return JSON.stringify(
    Array.from({ length: table.numRows }, (_, index) => columns.map((column) => column?.get(index))),
    (_, value: unknown) =>
      typeof value === 'bigint'
        ? `${value}n`
        : Object.is(value, -0)
          ? '-0'
          : Number.isNaN(value)
            ? 'NaN'
            : value === Infinity
              ? 'Inf'
              : value === -Infinity
                ? '-Inf'
                : value,
  );
}

function hex(value: Uint8Array | null): string | null {
  return value === null ? null : Buffer.from(value).toString('hex');
}
