/** A table is written with its columns as they were, whatever file it comes from and goes to. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExtraValue } from '../../../../src/dataset/dataset.ts';
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import {
  actualRows,
  datasetError,
  FIXTURE_ROWS,
  fixtureFile,
  type FixtureRow,
} from '../helpers/fixtureRows.ts';
import { otherTable } from '../helpers/otherReader.ts';
import { writeAnew } from '../helpers/writeAnew.ts';

const FILES = readdirSync(fixtureFile('')).filter((file) => /\.(parquet|arrow)$/.test(file));
/** Their `task_binary` is text, in which no archive can be put. */
const TEXT = /^(large-string|string-task)\./;
/** One of them has a null cell in the source. */
const REPLACED = [3, 5, 23];

type Extras = readonly Readonly<Record<string, ExtraValue>>[];

interface Table {
  readonly rows: readonly FixtureRow[];
  readonly extras: Extras;
}

describe('a table that is written anew', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-write-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const name of FILES) {
    for (const ending of ['parquet', 'arrow']) {
      it(`holds ${name} as .${ending}`, async () => {
        const target = join(folder, `${name}.${ending}`);
        const rows = TEXT.test(name) ? [] : REPLACED;
        const before = await tableOf(fixtureFile(name));
        const news = new Map(rows.map((row) => [row, newTask(row)]));
        const written = await writeAnew(fixtureFile(name), target, news);
        assert.deepEqual(written, {
          location: target,
          format: ending,
          rows: FIXTURE_ROWS,
          replaced: rows.length,
          leftOut: [],
        });
        const after = await tableOf(target);
        const shown = name.endsWith(ending) ? (extras: Extras) => extras : nullListsAsEmpty;
        assert.deepEqual(after.rows, withNew(before.rows, rows));
        assert.deepEqual(shown(after.extras), shown(before.extras));
        assert.deepEqual(otherReader(target), withNew(before.rows, rows));
        assert.deepEqual(otherColumns(target), otherColumns(fixtureFile('v1-none.parquet')));
      });
    }
  }

  for (const ending of ['parquet', 'arrow']) {
    it(`holds all shards of a folder of .${ending} files, one after the other`, async () => {
      const files =
        ending === 'parquet'
          ? ['v1-none.parquet', 'row-groups.parquet', 'v2-zstd.parquet']
          : ['stream.arrow', 'file-batches.arrow', 'zstd.arrow'];
      const shards = shardsOf(`shards-${ending}`, files);
      const target = join(folder, `shards.${ending}`);
      const before = await tableOf(shards);
      const written = await writeAnew(shards, target, new Map([[50, newTask(50)]]));
      assert.equal(written.rows, 3 * FIXTURE_ROWS);
      const after = await tableOf(target);
      assert.deepEqual(after, { ...before, rows: withNew(before.rows, [50]) });
    });

    it(`does not take shards of .${ending} files with different columns`, async () => {
      const shards = shardsOf(`mixed-${ending}`, [
        `v1-none.parquet`,
        'large-string.parquet',
        'string-task.parquet',
      ]);
      const arrows = shardsOf(`mixed-arrow-${ending}`, ['stream.arrow', 'large-binary.arrow']);
      const source = ending === 'parquet' ? shards : arrows;
      const error = await datasetError(writeAnew(source, join(folder, `mixed.${ending}`)));
      assert.equal(
        error.message,
        `${join(source, `1.${ending}`)} has other columns than the first file of its dataset: they differ at task_binary.`,
      );
    });
  }

  function shardsOf(name: string, files: readonly string[]): string {
    const shards = join(folder, name);
    mkdirSync(shards);
    for (const [index, file] of files.entries()) {
      copyFileSync(fixtureFile(file), join(shards, `${index}.${file.split('.')[1] ?? ''}`));
    }
    return shards;
  }
});

/** Of Parquet, a null list is shown like an empty one. */
function nullListsAsEmpty(extras: Extras): Extras {
  return extras.map((values) => ({ ...values, tags: values['tags'] ?? [] }));
}

function newTask(row: number): Uint8Array {
  return new Uint8Array(Buffer.from(`new task of row ${row} `.repeat(row)));
}

function withNew(rows: readonly FixtureRow[], replaced: readonly number[]): FixtureRow[] {
  return rows.map((fixture, row) =>
    replaced.includes(row) ? { ...fixture, task: Buffer.from(newTask(row)) } : fixture,
  );
}

async function tableOf(file: string): Promise<Table> {
  const dataset = await openDataset(file);
  try {
    const extras: Readonly<Record<string, ExtraValue>>[] = [];
    for (let row = 0; row < dataset.rowCount; row++) extras.push(await dataset.extras(row));
    return { rows: await actualRows(dataset), extras };
  } finally {
    await dataset.close();
  }
}

/** The same rows by a reader that is not ours. */
function otherReader(file: string): FixtureRow[] {
  const table = otherTable(file);
  return Array.from({ length: table.numRows }, (_, row) => {
    const [path, task]: unknown[] = ['path', 'task_binary'].map((name) => table.getChild(name)?.get(row));
    return { path: textOf(path), task: task === null ? null : bytesOf(task) };
  });
}

/** All other columns, as text. */
function otherColumns(file: string): string {
  const table = otherTable(file);
  const names = table.schema.fields
    .map(({ name }) => name)
    .filter((name) => !/^(path|task_binary)$/.test(name));
  return JSON.stringify(
    names.map((name) => [name, String(table.getChild(name)?.type), table.getChild(name)]),
  );
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
}

function bytesOf(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
}
