/** What a person reads when a dataset cannot be opened or a row cannot be read. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset } from '../../../src/dataset/openDataset.ts';
import { datasetError, fixtureFile } from './helpers/fixtureRows.ts';
import { smallParquet } from './helpers/smallParquet.ts';
import { remedyText } from '../../host/remedyText.ts';

const LFS_POINTER =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';

const AGAIN = 'Download or copy the file again, and wait until that is done.';

const OPEN_OTHER = 'Open a .parquet, .arrow or .tar.gz file, or a folder with tasks.';

const whole = readFileSync(fixtureFile('v1-snappy.parquet'));

interface Case {
  readonly title: string;
  readonly file: string;
  readonly bytes: Uint8Array | string;
  readonly code: string;
  /** `FILE` stands for the path. */
  readonly message: string;
  readonly nextStep: string;
}

const CASES: readonly Case[] = [
  {
    title: 'an empty file',
    file: 'tasks.parquet',
    bytes: '',
    code: 'empty-file',
    message: 'FILE is empty.',
    nextStep: 'Download or write the file again; an unfinished download looks like this.',
  },
  {
    title: 'a Git LFS pointer',
    file: 'tasks.parquet',
    bytes: LFS_POINTER,
    code: 'lfs-pointer',
    message: 'FILE is a Git LFS pointer: it names the dataset, but the data has not been downloaded.',
    nextStep: 'Run "git lfs pull" in its repository, then open it again.',
  },
  {
    title: 'a web page',
    file: 'tasks.parquet',
    bytes: '\n<!DOCTYPE html><html><head></head></html>',
    code: 'not-a-dataset',
    message: 'FILE is not a Parquet file: it is an HTML page.',
    nextStep: 'Download the file itself: on huggingface.co use the link with "/resolve/", not "/blob/".',
  },
  {
    title: 'a message of a web service',
    file: 'data.arrow',
    bytes: '{"error":"Repository not found"}',
    code: 'not-a-dataset',
    message: 'FILE is not an Arrow IPC file: it is JSON text.',
    nextStep: 'Download the file itself: on huggingface.co use the link with "/resolve/", not "/blob/".',
  },
  {
    title: 'a .tar.gz that is not gzipped',
    file: 'tasks.tar.gz',
    bytes: Buffer.from('28b52ffd0000000000', 'hex'),
    code: 'not-a-dataset',
    message: 'FILE is not a gzipped tar file: it is zstd-compressed data.',
    nextStep: OPEN_OTHER,
  },
  {
    title: 'anything else',
    file: 'tasks.bin',
    bytes: Buffer.from('0102030405060708090a', 'hex'),
    code: 'not-a-dataset',
    message: 'FILE is not a Parquet, Arrow or tar file: its first bytes are 01 02 03 04 05 06 07 08.',
    nextStep: OPEN_OTHER,
  },
  {
    title: 'a Parquet file that is cut off',
    file: 'tasks.parquet',
    bytes: whole.subarray(0, 1000),
    code: 'truncated',
    message:
      'FILE begins like a Parquet file but does not end like one: after 1000 bytes its end is missing.',
    nextStep: AGAIN,
  },
  {
    title: 'a footer of nonsensical length',
    file: 'tasks.parquet',
    bytes: Buffer.concat([whole.subarray(0, -8), Buffer.from('ffffff7f', 'hex'), Buffer.from('PAR1')]),
    code: 'corrupt',
    message: `FILE says that its footer has 2147483647 bytes, which cannot be in a file of ${whole.length} bytes.`,
    nextStep: 'Download or write the file again.',
  },
  {
    title: 'a footer that is overwritten',
    file: 'tasks.parquet',
    bytes: Buffer.concat([
      Buffer.from('PAR1'),
      Buffer.alloc(64, 0x19),
      Buffer.from([64, 0, 0, 0]),
      Buffer.from('PAR1'),
    ]),
    code: 'corrupt',
    message: 'FILE has a damaged footer: its metadata is nested too deeply.',
    nextStep: 'Download or write the file again.',
  },
  {
    title: 'an encrypted Parquet file',
    file: 'tasks.parquet',
    bytes: 'PARE and its contents PARE',
    code: 'encrypted',
    message: 'FILE is an encrypted Parquet file.',
    nextStep: 'Ask its owner for a copy without Parquet encryption.',
  },
  {
    title: 'an Arrow file that is cut off',
    file: 'data.arrow',
    bytes: readFileSync(fixtureFile('stream.arrow')).subarray(0, 2000),
    code: 'truncated',
    message: 'FILE is an Arrow file that ends in the middle, after 2000 bytes.',
    nextStep: AGAIN,
  },
  {
    title: 'a table without paths',
    file: 'train.parquet',
    bytes: smallParquet({ prompt: ['a'], answer: ['b'] }),
    code: 'missing-column',
    message: 'FILE has no column path. Its columns are: prompt and answer.',
    nextStep:
      'Open a file of tasks, with the columns path and task_binary, or rename the column that holds them.',
  },
  {
    title: 'a table without tasks',
    file: 'train.parquet',
    bytes: smallParquet({ path: ['a'], solution_binary: ['b'] }),
    code: 'missing-column',
    message: 'FILE has no column task_binary. Its columns are: path and solution_binary.',
    nextStep:
      'Open a file of tasks, with the columns path and task_binary, or rename the column that holds them.',
  },
  {
    title: 'a column of numbers where tasks should be',
    file: 'train.parquet',
    bytes: smallParquet({ path: ['a'], task_binary: [1] }),
    code: 'wrong-column-type',
    message: 'FILE holds INT32 in its column task_binary, where text or bytes are expected.',
    nextStep: 'Write the file again with task_binary as a string or binary column.',
  },
];

describe('a dataset that cannot be opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-error-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const { title, file, bytes, code, message, nextStep } of CASES) {
    it(`says what it is and what to do: ${title}`, async () => {
      const location = join(folder, file);
      writeFileSync(location, bytes);
      const error = await datasetError(openDataset(location));
      assert.deepEqual(
        { code: error.code, message: error.message, nextStep: remedyText(error.remedies) },
        { code, message: message.replace('FILE', location), nextStep },
      );
    });
  }

  it('names a file that is not there', async () => {
    const error = await datasetError(openDataset(join(folder, 'nothing.parquet')));
    assert.equal(error.code, 'not-found');
    assert.equal(error.message, `${join(folder, 'nothing.parquet')} does not exist.`);
    assert.equal(remedyText(error.remedies), 'Check the path; the file may have been moved or deleted.');
  });

  it('names a file that may not be read', async function () {
    // Permissions do not bind root, and Windows has others.
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    const location = join(folder, 'secret.parquet');
    writeFileSync(location, whole);
    chmodSync(location, 0);
    const error = await datasetError(openDataset(location));
    assert.equal(error.code, 'permission-denied');
    assert.equal(error.message, `${location} may not be read by this user.`);
  });
});
