/** Where a dataset may be written to, and what is left when it could not be. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_FILE } from '../../../../scripts/buildSamples.ts';
import { FileSink } from '../../../../src/dataset/write/fileSink.ts';
import { targetFormat, writeFileTarget } from '../../../../src/dataset/write/target.ts';
import { asWriteError } from '../../../../src/dataset/write/writeErrors.ts';
import { DatasetError } from '../../../../src/dataset/datasetError.ts';
import { inWords } from '../../../../src/fault/remedy.ts';
import { GoldError } from '../../../../src/gold/goldError.ts';
import { datasetError, fixtureFile } from '../helpers/fixtureRows.ts';
import { writeAnew } from '../helpers/writeAnew.ts';
import { remedyText } from '../../../host/remedyText.ts';

const SOURCE = fixtureFile('pages-with-index.parquet');

describe('the target of a dataset', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'repair-bench-target-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is a file or a folder by its name', () => {
    assert.equal(targetFormat('a/b.parquet'), 'parquet');
    assert.equal(targetFormat('B.ARROW'), 'arrow');
    assert.equal(targetFormat('b.tar.gz'), 'tar');
    assert.equal(targetFormat('b.tgz'), 'tar');
    assert.equal(targetFormat('tasks-v1.2'), 'folder');
    assert.throws(() => targetFormat('tasks.jsonl'), {
      code: 'unsupported-target',
      message: 'tasks.jsonl cannot be written: datasets are not written as .jsonl files.',
      remedies: [
        inWords('Give a target that ends with .parquet, .arrow or .tar.gz, or the name of a folder.'),
      ],
    });
  });

  it('is not replaced unless that is wanted', async () => {
    const target = join(folder, 'out.parquet');
    writeFileSync(target, 'mine');
    const error = await datasetError(writeAnew(SOURCE, target));
    assert.equal(error.code, 'target-exists');
    assert.equal(error.message, `${target} is there already.`);
    assert.equal(readFileSync(target, 'utf8'), 'mine');
    await writeAnew(SOURCE, target, new Map(), { force: true });
    assert.equal(readFileSync(target, 'latin1').slice(0, 4), 'PAR1');
    assert.deepEqual(readdirSync(folder), ['out.parquet']);
  });

  it('is never the source, under no name', async () => {
    const source = join(folder, 'source.parquet');
    const other = join(folder, 'other.parquet');
    copyFileSync(SOURCE, source);
    linkSync(source, other);
    for (const target of [source, join(folder, '.', 'x', '..', 'source.parquet'), other]) {
      const error = await datasetError(writeAnew(source, target, new Map(), { force: true }));
      assert.equal(error.code, 'target-is-source');
    }
    assert.deepEqual(readFileSync(source), readFileSync(SOURCE));
  });

  it('does not lie in a folder that is the source', async () => {
    const source = join(folder, 'tasks');
    await writeAnew(SAMPLE_FILE, source);
    const error = await datasetError(writeAnew(source, join(source, 'out.parquet')));
    assert.equal(error.code, 'target-is-source');
    assert.match(error.message, /out\.parquet is in the dataset that is read, and that is never changed\./);
  });

  it('is no folder with files in it, wanted or not', async () => {
    const target = join(folder, 'tasks');
    mkdirSync(target);
    await writeAnew(SAMPLE_FILE, target);
    const names = readdirSync(target);
    assert.ok(names.length > 1);
    const error = await datasetError(writeAnew(SAMPLE_FILE, target, new Map(), { force: true }));
    assert.equal(error.message, `${target} is there already and not empty.`);
    assert.deepEqual(readdirSync(target), names);
    const asFile = join(folder, 'folder.parquet');
    mkdirSync(asFile);
    const second = await datasetError(writeAnew(SOURCE, asFile, new Map(), { force: true }));
    assert.equal(second.message, `${asFile} is a folder.`);
  });

  it('needs a folder that is there', async () => {
    const target = join(folder, 'missing', 'out.parquet');
    const error = await datasetError(writeAnew(SOURCE, target));
    assert.equal(error.code, 'not-found');
    assert.equal(error.message, `${target} could not be written: its folder does not exist.`);
  });

  it('leaves nothing behind when it is cancelled on the way', async () => {
    for (const name of ['out.parquet', 'out.arrow', 'out.tar.gz', 'out']) {
      const stop = new AbortController();
      const onProgress = () => stop.abort(new Error('enough'));
      const work = writeAnew(SAMPLE_FILE, join(folder, name), new Map(), { onProgress, signal: stop.signal });
      await assert.rejects(work, /enough/);
      assert.deepEqual(readdirSync(folder), [], name);
    }
    const early = AbortSignal.abort(new Error('before'));
    await assert.rejects(
      writeAnew(SAMPLE_FILE, join(folder, 'no.parquet'), new Map(), { signal: early }),
      /before/,
    );
    assert.ok(!readdirSync(folder).includes('no.parquet'));
  });

  it('leaves nothing behind when a new archive cannot be made', async () => {
    const target = join(folder, 'out.parquet');
    const failing = writeFileTarget(target, false, async (sink) => {
      await sink.write(Buffer.alloc(3_000_000));
      throw new DatasetError('corrupt', 'the gold fix is gone', 'Save it again.');
    });
    assert.equal((await datasetError(failing)).message, 'the gold fix is gone');
    assert.deepEqual(readdirSync(folder), []);
  });

  it('hears why it was stopped in the words of whoever stopped it', async () => {
    const stop = new AbortController();
    const cancelled = writeAnew(SAMPLE_FILE, join(folder, 'out.parquet'), new Map(), {
      onProgress: () => stop.abort(),
      signal: stop.signal,
    });
    await assert.rejects(cancelled, { name: 'AbortError' });
    const edited = new GoldError('edited', 'The gold fix was changed since it was saved.', 'Save it again.');
    const refused = writeFileTarget(join(folder, 'out.parquet'), false, async () => {
      throw edited;
    });
    await assert.rejects(refused, (error) => error === edited);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('says that the disk is full, and leaves nothing behind', async function () {
    if (process.platform !== 'linux') return this.skip();
    const target = join(folder, 'out.parquet');
    const work = writeFileTarget(target, false, async () => {
      const full = await open('/dev/full', 'w');
      try {
        await new FileSink(full).write(Buffer.alloc(2_000_000));
      } finally {
        await full.close();
      }
    });
    const error = await datasetError(work);
    assert.equal(error.code, 'disk-full');
    assert.equal(error.message, `${target} could not be written: the disk is full. Nothing was left behind.`);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('says what to do where it may not be written', () => {
    const of = (code: string) =>
      asWriteError(Object.assign(new Error(`${code}: no`), { code, syscall: 'open' }), 'out.parquet');
    const told = ['EROFS', 'EACCES', 'EIO'].map((code) => {
      const error = of(code);
      return error instanceof DatasetError
        ? `${error.code}: ${error.message} ${remedyText(error.remedies)}`
        : '';
    });
    assert.deepEqual(told, [
      'read-only: out.parquet could not be written: its file system is read-only. Choose a target on another disk.',
      'permission-denied: out.parquet could not be written: this user may not write there. Give yourself permission to write to its folder, or choose another target.',
      'write-failed: out.parquet could not be written: EIO: no. Nothing was left behind. Check the disk or the network share that should hold it, or choose another target.',
    ]);
  });

  it('is refused for rows that the source does not have', async () => {
    const error = await datasetError(
      writeAnew(SOURCE, join(folder, 'out.parquet'), new Map([[24, Buffer.from('x')]])),
    );
    assert.equal(error.code, 'no-such-row');
  });

  it('is refused for archives in a column of text', async () => {
    for (const name of ['string-task.parquet', 'string-task.arrow']) {
      const work = writeAnew(fixtureFile(name), join(folder, 'out.arrow'), new Map([[1, Buffer.from('x')]]));
      const error = await datasetError(work);
      assert.equal(error.code, 'wrong-column-type');
      assert.match(error.message, /holds text in its column task_binary, where no archive can be put/);
      assert.deepEqual(readdirSync(folder), []);
    }
  });
});
