/** Tasks that are written as files, and tasks that lie as files and are written as a table. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Binary, Table, Utf8, tableToIPC, vectorFromArray } from 'apache-arrow';
import { SAMPLE_FILE, SAMPLE_TASKS } from '../../../../scripts/buildSamples.ts';
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import { taskFilesOf } from '../../../../src/dataset/write/taskFilesOf.ts';
import { packTaskArchive } from '../../../../src/task/archive/packArchive.ts';
import { datasetError, fixtureFile } from '../helpers/fixtureRows.ts';
import { writeAnew } from '../helpers/writeAnew.ts';

/** Per path, the files of the task as latin1 text, so that no byte is lost. */
type Tasks = Readonly<Record<string, Readonly<Record<string, string>>>>;

describe('a dataset of tasks as files', function () {
  this.timeout(60_000);
  let folder = '';
  before(() => (folder = mkdtempSync(join(tmpdir(), 'repair-bench-tasks-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('goes from format to format and holds the same tasks', async () => {
    const expected = await tasksOf(SAMPLE_FILE);
    let source = SAMPLE_FILE;
    for (const name of ['1.tar.gz', '2', '3.arrow', '4.tgz', '5.parquet', '6.arrow', '7.parquet']) {
      const target = join(folder, name);
      const { rows } = await writeAnew(source, target);
      assert.equal(rows, Object.keys(expected).length);
      assert.deepEqual(await tasksOf(target), expected, name);
      source = target;
    }
  });

  it('gets new tasks in the rows that are replaced', async () => {
    const before = await tasksOf(SAMPLE_FILE);
    const path = Object.keys(before)[2] ?? '';
    const bytes = Buffer.from('echo solved\n\xe9', 'latin1');
    const files = [
      { path: 'instruction.md', bytes: Buffer.from('Do it.'), mode: 0o644 },
      { path: 'solution/solve.sh', bytes, mode: 0o755 },
    ];
    const archive = await packTaskArchive(files);
    const solved = { 'instruction.md': 'Do it.', 'solution/solve.sh': 'echo solved\n\xe9' };
    for (const name of ['new.tar.gz', 'new', 'new.arrow', 'new.parquet']) {
      const target = join(folder, name);
      await writeAnew(SAMPLE_FILE, target, new Map([[2, archive]]));
      assert.deepEqual(await tasksOf(target), { ...before, [path]: solved }, name);
    }
    if (process.platform === 'win32') return;
    assert.equal(statSync(join(folder, 'new', path, 'solution', 'solve.sh')).mode & 0o777, 0o755);
  });

  it('is one task when there is one row', async () => {
    const one = join(SAMPLE_TASKS, 'manybugs-0007');
    const [files] = Object.values(await tasksOf(one));
    for (const name of ['one.tar.gz', 'one']) {
      await writeAnew(one, join(folder, name));
      const dataset = await openDataset(join(folder, name));
      assert.equal(dataset.rowCount, 1);
      await dataset.close();
      assert.deepEqual(await tasksOf(join(folder, name)), { one: files });
    }
  });

  it('does not take rows that share a path, and leaves out columns it has no place for', async () => {
    const error = await datasetError(
      writeAnew(fixtureFile('repeated.parquet'), join(folder, 'repeated.tar.gz')),
    );
    // Row 0 is no archive, which is found first.
    assert.equal(error.code, 'corrupt');
    assert.match(error.message, /repeated\.parquet, row 0: /);
    const archive = await packTaskArchive([{ path: 'task.toml', bytes: Buffer.from(''), mode: 0o644 }]);
    const all = new Map(Array.from({ length: 24 }, (_, row) => [row, archive]));
    const second = await datasetError(
      writeAnew(fixtureFile('repeated.parquet'), join(folder, 'repeated'), all),
    );
    assert.equal(
      second.message,
      `${fixtureFile('repeated.parquet')}, row 1 cannot become a folder: another row has the path "task-0000" too.`,
    );
    const written = await writeAnew(fixtureFile('row-groups.parquet'), join(folder, 'plain'), all);
    assert.deepEqual(written.leftOut, ['score', 'tags', 'created']);
  });

  it('does not take a row whose folder would lie in that of another, where nobody looks for tasks', async () => {
    const archive = await packTaskArchive([{ path: 'task.toml', bytes: Buffer.from(''), mode: 0o644 }]);
    const source = join(folder, 'nested.arrow');
    for (const [paths, because] of [
      [['a-b', 'a', 'a/b'], 'row 2 cannot become a folder: it would lie in the folder of another row, "a".'],
      [['a/b/c', 'a.b', 'a'], 'row 2 cannot become a folder: another row, "a/b/c", would lie in its folder.'],
    ] as const) {
      const tasks = paths.map(() => archive);
      const columns = {
        path: vectorFromArray(paths, new Utf8()),
        task_binary: vectorFromArray(tasks, new Binary()),
      };
      writeFileSync(source, tableToIPC(new Table(columns), 'stream'));
      for (const name of ['nested.tar.gz', 'nested']) {
        const error = await datasetError(writeAnew(source, join(folder, name)));
        assert.equal(error.code, 'unsupported-target');
        assert.equal(error.message, `${source}, ${because}`);
      }
    }
  });
});

async function tasksOf(location: string): Promise<Tasks> {
  const dataset = await openDataset(location);
  try {
    const paths = await dataset.paths();
    const tasks: Record<string, Record<string, string>> = {};
    for (let row = 0; row < dataset.rowCount; row++) {
      const files = await taskFilesOf(await dataset.readTask(row), location, row);
      tasks[paths.pathAt(row)] = Object.fromEntries(
        [...files.values()].map(({ path, bytes }) => [path, Buffer.from(bytes).toString('latin1')]),
      );
    }
    return tasks;
  } finally {
    await dataset.close();
  }
}
