/** Columns of any type are written as they are, or refused by name. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  List,
  makeData,
  Map_,
  Null,
  Struct,
  Table,
  tableToIPC,
  TimeMicrosecond,
  TimeSecond,
  Timestamp,
  TimeUnit,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { datasetError } from '../../helpers/fixtureRows.ts';
import { otherTable } from '../../helpers/otherReader.ts';
import { writeAnew } from '../../helpers/writeAnew.ts';
import { remedyText } from '../../../../host/remedyText.ts';

const ROWS = 603;
const text = new Utf8();
const item = new Struct([
  new Field('name', text, true),
  new Field('marks', new List(new Field('item', new Int16(), true)), true),
]);

/** A type, and the value of a row; every seventh row is null. */
const COLUMNS: Readonly<Record<string, readonly [DataType, (row: number) => unknown]>> = {
  bool: [new Bool(), (row) => row % 3 === 0],
  int8: [new Int8(), (row) => (row % 256) - 128],
  int16: [new Int16(), (row) => row - 600],
  int32: [new Int32(), (row) => (row - 300) * 7_000_000],
  int64: [new Int64(), (row) => BigInt(row - 300) * 18_000_000_000_000_000n],
  uint8: [new Uint8(), (row) => row % 256],
  uint16: [new Uint16(), (row) => row * 108],
  uint32: [new Uint32(), (row) => row * 7_000_000],
  uint64: [new Uint64(), (row) => BigInt(row) * 30_000_000_000_000_000n],
  float32: [new Float32(), (row) => row / 4],
  float64: [new Float64(), (row) => (row === 3 ? Number.NaN : row === 4 ? -0 : row / 7)],
  text: [text, (row) => ['', 'é', 'line\r\nline', '𝛑'][row % 4]],
  fixed: [new FixedSizeBinary(3), (row) => Uint8Array.of(row % 256, 1, 255)],
  date: [new DateDay(), (row) => new Date(row * 86_400_000)],
  moment: [new Timestamp(TimeUnit.MICROSECOND, null), (row) => row * 1000],
  zoned: [new Timestamp(TimeUnit.MILLISECOND, 'UTC'), (row) => row * 1000],
  time: [new TimeMicrosecond(), (row) => BigInt(row) * 1_000_001n],
  list: [new List(new Field('item', text, true)), (row) => (row % 5 === 0 ? [] : ['a', null, `t${row}`])],
  lists: [
    new List(new Field('item', new List(new Field('item', new Int32(), true)), true)),
    (row) => [[row], [], null, [1, null]].slice(row % 4),
  ],
  struct: [item, (row) => ({ name: row % 2 === 0 ? null : `n${row}`, marks: [row % 100] })],
  structs: [
    new List(new Field('item', item, true)),
    (row) => [{ name: 'x', marks: [] }, null, { name: null, marks: null }].slice(row % 3),
  ],
};

/** Types that Parquet has no names for, or that apache-arrow's builders cannot fill from plain values. */
const ARROW_ONLY: Readonly<Record<string, readonly [DataType, (row: number) => unknown]>> = {
  half: [new Float16(), (row) => row / 2],
  triple: [new FixedSizeList(3, new Field('item', new Int32(), true)), (row) => [row, null, 1]],
  lasting: [new Duration(TimeUnit.SECOND), (row) => BigInt(row)],
  decimal: [new Decimal(2, 20, 128), (row) => Uint32Array.of(row, 0, 0, 0)],
  milliseconds: [new DateMillisecond(), (row) => new Date(row * 1000)],
  words: [new Dictionary(text, new Int16(), 7), (row) => ['one', 'two', 'three'][row % 3]],
  map: [
    new Map_(
      new Field(
        'entries',
        new Struct<{ key: Utf8; value: Int32 }>([
          new Field('key', text, false),
          new Field('value', new Int32(), true),
        ]),
        false,
      ),
    ),
    (row) =>
      new Map([
        [`k${row}`, row],
        ['n', null],
      ]),
  ],
};

describe('columns of all types', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-types-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('go from Arrow to Parquet, to Parquet, to Arrow and back, and hold the same', async () => {
    const source = join(folder, 'source.arrow');
    const expected = save(source, COLUMNS);
    let from = source;
    for (const name of ['1.parquet', '2.parquet', '3.arrow', '4.arrow', '5.parquet']) {
      const to = join(folder, name);
      await writeAnew(from, to, new Map([[550, Buffer.from('new')]]));
      const table = otherTable(to);
      for (const column of Object.keys(COLUMNS)) {
        assert.equal(valuesOf(table, column), valuesOf(expected, column), `${column} in ${name}`);
      }
      from = to;
    }
  });

  it('keep their Arrow types and metadata from Arrow to Arrow', async () => {
    const source = join(folder, 'all.arrow');
    const target = join(folder, 'all-anew.arrow');
    const columns = { ...COLUMNS, ...ARROW_ONLY };
    const expected = save(source, columns);
    await writeAnew(source, target, new Map([[0, Buffer.from('new')]]));
    const table = otherTable(target);
    assert.equal(String(table.schema), String(expected.schema));
    assert.deepEqual([...table.schema.metadata], [['huggingface', '{}']]);
    for (const column of Object.keys(columns)) {
      assert.equal(valuesOf(table, column), valuesOf(expected, column), column);
    }
  });

  it('become what Parquet has for them, with the Arrow types beside them', async () => {
    const source = join(folder, 'arrow-only.arrow');
    const { milliseconds: _, ...columns } = ARROW_ONLY;
    const expected = save(source, columns);
    const target = join(folder, 'arrow-only.parquet');
    await writeAnew(source, target);
    const table = otherTable(target);
    // Read with the types that are kept in the file's metadata.
    for (const column of ['half', 'triple', 'lasting', 'decimal', 'words', 'map']) {
      assert.equal(valuesOf(table, column), valuesOf(expected, column), column);
    }
  });

  it('keep the moment where Parquet has only finer units', async () => {
    const source = join(folder, 'seconds.arrow');
    save(source, {
      second: [new TimeSecond(), (row) => row],
      moment: [new Timestamp(TimeUnit.SECOND, 'Europe/Oslo'), (row) => row * 1000],
    });
    const target = join(folder, 'seconds.parquet');
    await writeAnew(source, target);
    const table = otherTable(target);
    assert.equal(String(table.getChild('second')?.type), 'Time32<MILLISECOND>');
    assert.equal(table.getChild('second')?.get(5), 5000);
    assert.equal(String(table.getChild('moment')?.type), 'Timestamp<MILLISECOND, Europe/Oslo>');
    assert.equal(table.getChild('moment')?.get(5), 5000);
  });

  it('are refused by name where Parquet has no place for them', async () => {
    const source = join(folder, 'refused.arrow');
    const target = join(folder, 'refused.parquet');
    for (const [name, type, what] of [
      ['milliseconds', ARROW_ONLY['milliseconds'], 'values of the type Date64<MILLISECOND>'],
      ['nothing', [new Struct([]), () => ({})] as const, 'structs without fields'],
    ] as const) {
      if (type === undefined) throw new Error('there is no such type');
      save(source, { [name]: type });
      const error = await datasetError(writeAnew(source, target));
      assert.equal(
        error.message,
        `${source}: its column ${name} holds ${what}, which cannot be written to Parquet as they are.`,
      );
      assert.equal(
        remedyText(error.remedies),
        'Write an Arrow file instead: give a target that ends with .arrow.',
      );
    }
    assert.ok(
      !readdirSync(folder).some((name) => name.startsWith('refused.parquet') || name.endsWith('.tmp')),
    );
  });
});

/** Writes a table with the columns of tasks and these, in several batches; gives the table. */
function save(
  file: string,
  columns: Readonly<Record<string, readonly [DataType, (row: number) => unknown]>>,
): Table {
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  const vectors: Record<string, Vector> = {
    path: vectorFromArray(
      rows.map((row) => `task-${row}`),
      text,
    ),
    task_binary: vectorFromArray(
      rows.map((row) => Buffer.from(`task ${row}`)),
      new Binary(),
    ),
    empty: new Vector([makeData({ type: new Null(), length: ROWS })]),
  };
  for (const [name, [type, valueOf]] of Object.entries(columns)) {
    vectors[name] = vectorFromArray(
      rows.map((row) => (row % 7 === 6 ? null : valueOf(row))),
      type,
    );
  }
  const whole = new Table(vectors);
  whole.schema.metadata.set('huggingface', '{}');
  writeFileSync(file, tableToIPC(whole, 'stream'));
  return whole;
}

/** All values of a column as text that tells every two values apart. */
function valuesOf(table: Table, column: string): string {
  const vector = table.getChild(column);
  const plain = (_: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (Object.is(value, -0)) return '-0';
    return ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
      : value;
  };
  return Array.from({ length: vector?.length ?? 0 }, (_, row) =>
    JSON.stringify(vector?.get(row), plain),
  ).join('\n');
}
