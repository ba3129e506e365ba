// `repair-bench fetch` as a process, against a hub over real sockets.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorDocument, fetchDocument } from '../../src/cli/documents/jsonDocuments.ts';
import { commitOf } from '../host/hubContent.ts';
import { type HubServer, startHub } from '../host/hubServer.ts';
import { type Ended, runCli, startCli } from './cliUnderTest.ts';

const SAMPLE = join(import.meta.dirname, '../../media/samples/tasks.parquet');
const BIG = randomBytes(700_000);

describe('repair-bench fetch', function () {
  this.timeout(120_000);
  let home = '';
  let hub: HubServer;
  let main: Record<string, Uint8Array | string>;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'repair-bench-fetch-'));
    const sample = await readFile(SAMPLE);
    main = {
      'abe__a/tasks.parquet': sample,
      'zed__b/tasks.parquet': BIG,
      'data/train-00000-of-00002.parquet': sample,
      'data/train-00001-of-00002.parquet': sample,
    };
    hub = await startHub({
      'lab/tasks': { revisions: { main } },
      'lab/one': { revisions: { main: { 'README.md': 'One.', 'tasks.parquet': sample } } },
      'lab/private': { revisions: { main: { 'a.parquet': sample } }, private: true, readers: ['hf_reader'] },
    });
  });
  afterEach(async () => {
    await hub.stop();
    await rm(home, { recursive: true, force: true });
  });

  const env = (more: Readonly<Record<string, string>> = {}) => ({
    env: { HF_ENDPOINT: hub.endpoint, HF_HOME: home, ...more },
  });
  const fetchCli = (args: readonly string[], more?: Readonly<Record<string, string>>): Promise<Ended> =>
    runCli(['fetch', ...args], env(more));

  it('prints where the file is, for the other commands', async () => {
    const { code, stdout, stderr } = await fetchCli(['lab/one']);
    assert.equal(code, 0, stderr);
    const location = stdout.trimEnd();
    assert.ok(
      location.startsWith(join(home, 'hub/datasets--lab--one/snapshots')) && !location.includes('\n'),
      stdout,
    );
    assert.match(stderr, /^downloading tasks\.parquet \(\d+\.\d kB\)$/m);
    assert.deepEqual(await readFile(location), await readFile(SAMPLE));
    const list = await runCli(['list', location, '--limit', '1']);
    assert.match(list.stdout, /^#0 {2}bugsinpy-0001$/m);
    const again = await fetchCli([`${hub.endpoint}/datasets/lab/one/blob/main/tasks.parquet`]);
    assert.equal(again.stdout, stdout);
    assert.doesNotMatch(again.stderr, /downloading/);
  });

  it('lists, as text and as a document', async () => {
    await fetchCli(['lab/tasks:abe__a']);
    const text = await fetchCli(['lab/tasks', '--list']);
    assert.deepEqual(text.stdout.split('\n'), [
      ' 36.9 kB  abe__a/tasks.parquet           in the cache',
      ' 73.7 kB  data/train-*-of-00002.parquet  2 files',
      '700.0 kB  zed__b/tasks.parquet',
      '',
    ]);
    assert.match(
      text.stderr,
      new RegExp(`^3 datasets in lab/tasks at main \\(${commitOf(main).slice(0, 7)}\\)\\.$`, 'm'),
    );
    const document = fetchDocument
      .strict()
      .parse(JSON.parse((await fetchCli(['lab/tasks', '--list', '--json'])).stdout));
    assert.deepEqual(
      [
        document.commit,
        document.from,
        document.fetched,
        document.choices.map(({ files, cached }) => [files, cached]),
      ],
      [
        commitOf(main),
        'hub',
        [],
        [
          [1, true],
          [2, false],
          [1, false],
        ],
      ],
    );
  });

  it('asks which one is meant when there are several', async () => {
    const { code, stdout, stderr } = await fetchCli(['lab/tasks']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /Error: lab\/tasks has 3 datasets: abe__a\/tasks\.parquet, data\/train-\*-of-00002\.parquet\s+and\s+zed__b\/tasks\.parquet\.\nNext: Name one: repair-bench fetch lab\/tasks:abe__a\/tasks\.parquet; --list shows all\.\n$/,
    );
  });

  it('names a file with an odd name so that a shell takes it as one word', async () => {
    const files = { "$(id)'; id; '.parquet": 'odd', 'plain.parquet': 'plain' };
    hub.repos.set('lab/odd', { revisions: { main: files } });
    const { stderr } = await fetchCli(['lab/odd']);
    const command = /^Next: Name one: repair-bench fetch (.*); --list shows all\.$/m.exec(stderr)?.[1];
    assert.equal(command, String.raw`'lab/odd:$(id)'\''; id; '\''.parquet'`);
  });

  it('fetches parts as one dataset, and all that match a pattern', async () => {
    const parts = fetchDocument.parse(JSON.parse((await fetchCli(['lab/tasks:data', '--json'])).stdout));
    assert.equal(parts.fetched[0]?.files.length, 2);
    const list = await runCli(['list', parts.fetched[0]?.location ?? '', '--limit', '1']);
    assert.match(list.stderr, /^The first 1 of 20 rows/);
    const all = await fetchCli(['lab/tasks:*/tasks.parquet']);
    assert.deepEqual(all.stdout.match(/\w+__\w/g), ['abe__a', 'zed__b']);
  });

  it('uses HF_TOKEN, and says so when it is missing', async () => {
    const refused = await fetchCli(['lab/private', '--json']);
    const { error } = errorDocument.parse(JSON.parse(refused.stdout));
    assert.deepEqual([refused.code, error.code], [2, 'repo-not-found']);
    assert.match(error.nextStep, /set HF_TOKEN/);
    assert.equal((await fetchCli(['lab/private'], { HF_TOKEN: 'hf_reader' })).code, 0);
  });

  it('takes a revision from the address or the option, not two', async () => {
    const ended = await fetchCli(['lab/one@main', '--revision', 'v9']);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, /The address names revision main, and --revision names v9\./);
    const unknown = await fetchCli(['lab/one', '--revision', 'v9']);
    assert.match(unknown.stderr, /lab\/one has no revision v9\./);
    assert.equal(
      (
        await fetchCli([
          'lab/one',
          '--revision',
          commitOf({ 'README.md': 'One.', 'tasks.parquet': await readFile(SAMPLE) }),
        ])
      ).code,
      0,
    );
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`keeps what has arrived when it is cancelled by ${signal}, and continues`, async () => {
      hub.faults.holdAfter = 300_000;
      const started = startCli(['fetch', 'lab/tasks:zed__b/tasks.parquet'], env());
      await hub.held;
      const blobs = join(home, 'hub/datasets--lab--tasks/blobs');
      await started.said('downloading zed__b/tasks.parquet (700.0 kB)');
      while ((await sizeOfPartial(blobs)) === 0) await delay(20);
      started.kill(signal);
      const { code, stdout, stderr } = await started.ended;
      assert.deepEqual([code, stdout], [130, '']);
      assert.match(stderr, /^The downloaded part is kept; the same command continues from there\.$/m);
      hub.release();
      const kept = await sizeOfPartial(blobs);
      assert.ok(kept > 0);
      const again = await fetchCli(['lab/tasks:zed__b/tasks.parquet']);
      assert.equal(again.code, 0, again.stderr);
      assert.deepEqual(await readFile(again.stdout.trimEnd()), BIG);
      const continued = hub.requests.filter(({ origin }) => origin === 'store').at(-1)?.range;
      assert.equal(continued, `bytes=${kept}-`);
    });

  it('works from the cache when the hub is gone, and says so', async () => {
    await fetchCli(['lab/one']);
    await hub.stop();
    const known = await fetchCli(['lab/one']);
    assert.equal(known.code, 0, known.stderr);
    assert.match(known.stderr, /^The hub cannot be reached: this is what the cache has of lab\/one\.$/m);
    const unknown = await fetchCli(['lab/tasks']);
    assert.equal(unknown.code, 4);
    assert.match(unknown.stderr, /Error: Nothing answers at 127\.0\.0\.1:\d+\.\nNext: Check the network/);
    const offline = await fetchCli(['lab/tasks'], { HF_HUB_OFFLINE: '1' });
    assert.equal(offline.code, 2);
    assert.match(offline.stderr, /HF_HUB_OFFLINE forbids\s+to ask the hub/);
  });
});

/** Bytes of the only file in the folder of blobs; 0 when it is not there yet. */
async function sizeOfPartial(blobs: string): Promise<number> {
  const [name] = await readdir(blobs).catch(() => []);
  return name === undefined
    ? 0
    : stat(join(blobs, name)).then(
        ({ size }) => size,
        () => 0,
      );
}
