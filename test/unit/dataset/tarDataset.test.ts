/** Tars as they are found: one task, task folders, archives of tasks, odd names and damaged ends. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Dataset } from '../../../src/dataset/dataset.ts';
import { openDataset } from '../../../src/dataset/openDataset.ts';
import { readTaskArchive } from '../../../src/task/archive/archive.ts';
import { datasetError } from './helpers/fixtureRows.ts';

describe('a tar of tasks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-tar-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const TASK = {
    'instruction.md': 'Fix it.',
    'tests/test.sh': 'exit 0',
    'tests/instruction.md': 'not a task',
  };

  for (const suffix of ['.tar', '.tar.gz', '.tgz']) {
    it(`is one task when instruction.md is at its root (${suffix})`, async () => {
      const bytes = suffix === '.tar' ? await tar(TASK) : gzipSync(await tar(TASK));
      const dataset = await open(`quixbugs-0007${suffix}`, bytes);
      assert.equal(dataset.format, 'tar');
      assert.deepEqual(await pathsOf(dataset), ['quixbugs-0007']);
      assert.deepEqual(await dataset.readTask(0), { kind: 'archive', bytes });
      await dataset.close();
    });
  }

  it('is one task when all of it is under one folder, whose name is the path', async () => {
    const dataset = await open('one.tar.gz', gzipSync(await tar(prefixed('./bug-1/', TASK))));
    assert.deepEqual(await pathsOf(dataset), ['bug-1']);
    assert.deepEqual(await filesOf(dataset, 0), TASK);
    await dataset.close();
  });

  it('is one row for every task folder, also below a folder and with members in any order', async () => {
    const [first, ...rest] = Object.entries(prefixed('set/a/', TASK));
    const mixed = Object.fromEntries([first ?? [], ...Object.entries(prefixed('set/b/', TASK)), ...rest]);
    const dataset = await open('many.tar', await tar({ 'README.md': 'about', ...mixed }));
    assert.deepEqual(await pathsOf(dataset), ['set/a', 'set/b']);
    assert.deepEqual(await filesOf(dataset, 0), TASK);
    assert.deepEqual(await filesOf(dataset, 1), TASK);
    await dataset.close();
  });

  it('takes members that are archives for tasks', async () => {
    const inner = gzipSync(await tar(TASK));
    const dataset = await open(
      'archives.tar',
      await tar({ 'comp-1.tar.gz': inner, 'comp-2.tgz': inner, notes: 'x' }),
    );
    assert.deepEqual(await pathsOf(dataset), ['comp-1.tar.gz', 'comp-2.tgz']);
    assert.deepEqual(await dataset.readTask(1), { kind: 'archive', bytes: inner });
    await dataset.close();
  });

  it('keeps names that are long or not UTF-8, and the last of duplicate members', async () => {
    const long = `tests/${'deep/'.repeat(40)}case.txt`;
    const bytes = await tar(prefixed('task/', { ...TASK, [long]: 'long', 'caf#.txt': 'latin1' }), [
      { name: 'task/instruction.md', content: 'Fix it again.' },
    ]);
    const at = bytes.indexOf('task/caf#.txt');
    bytes[at + 8] = 0xe9;
    const checksum = bytes.subarray(at, at + 512);
    checksum.fill(0x20, 148, 156);
    checksum.write(
      `${checksum
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
      'latin1',
    );
    const dataset = await open('odd.tar', bytes);
    assert.deepEqual(await filesOf(dataset, 0), {
      ...TASK,
      [long]: 'long',
      'caf\udce9.txt': 'latin1',
      'instruction.md': 'Fix it again.',
    });
    await dataset.close();
  });

  it('says where a cut or damaged tar goes wrong', async () => {
    const whole = await tar(prefixed('task/', { ...TASK, 'data.bin': 'x'.repeat(5000) }));
    const cut = await datasetError(open('cut.tar', whole.subarray(0, whole.length - 4000)));
    assert.equal(cut.code, 'truncated');
    assert.match(cut.message, /cut\.tar is a tar file that ends in the middle of a member\./);
    const unzipped = await datasetError(open('cut.tar.gz', gzipSync(whole).subarray(0, -40)));
    assert.equal(unzipped.code, 'truncated');
    const changed = Buffer.from(whole);
    changed[1024 + 3] = 0x7f;
    const damaged = await datasetError(open('damaged.tar', changed));
    assert.equal(damaged.code, 'corrupt');
    assert.match(
      damaged.message,
      /damaged\.tar is a damaged tar file: the checksum of a header is wrong, at byte 1024\./,
    );
  });

  it('refuses what unpacks to more than the limit, and a task that is larger than a cell may be', async () => {
    const bytes = gzipSync(await tar(prefixed('task/', { ...TASK, 'data.bin': 'x'.repeat(50_000) })));
    const file = write('large.tar.gz', bytes);
    const tooLarge = await datasetError(openDataset(file, { limits: { unpackedBytes: 20_000 } }));
    assert.equal(tooLarge.code, 'too-large');
    const dataset = await openDataset(file, { limits: { cellBytes: 10_000 } });
    assert.equal((await datasetError(dataset.readTask(0))).code, 'too-large');
    await dataset.close();
  });

  it('refuses a tar without tasks and gzipped data that is no tar', async () => {
    const none = await datasetError(open('none.tar', await tar({ 'a.txt': 'a', 'b.txt': 'b' })));
    assert.equal(none.code, 'no-tasks');
    assert.match(none.message, /none of its 2 members is called instruction\.md or task\.toml/);
    const other = await datasetError(open('data.json.gz', gzipSync(Buffer.from('{}'.repeat(600)))));
    assert.equal(other.code, 'not-a-dataset');
    assert.match(other.message, /is gzipped, but what is in it is not a tar file/);
  });

  function write(name: string, bytes: Uint8Array): string {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    return file;
  }

  function open(name: string, bytes: Uint8Array): Promise<Dataset> {
    return openDataset(write(name, bytes));
  }
});

function prefixed(prefix: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [prefix + name, content]));
}

async function tar(
  files: Readonly<Record<string, string | Uint8Array>>,
  more: readonly { name: string; content: string }[] = [],
): Promise<Buffer> {
  const packer = pack();
  const entries = [...Object.entries(files).map(([name, content]) => ({ name, content })), ...more];
  for (const { name, content } of entries) {
    packer.entry({ name, mtime: new Date(0) }, Buffer.from(content));
  }
  packer.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of packer) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

async function pathsOf(dataset: Dataset): Promise<string[]> {
  return (await dataset.paths()).slice(0, dataset.rowCount);
}

async function filesOf(dataset: Dataset, row: number): Promise<Record<string, string>> {
  const content = await dataset.readTask(row);
  if (content.kind !== 'archive') throw new Error('an archive was expected');
  const result = await readTaskArchive(content.bytes);
  if (!result.ok) throw result.error;
  return Object.fromEntries(
    [...result.files.values()].map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
  );
}
