// What goes wrong while bytes arrive, for real: cut connections, wrong bytes, ignored ranges, killed processes, a full disk.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimPartial, finishPartial, keepPartial } from '../../../../src/dataset/hub/partialFile.ts';
import type { HubServer } from '../../../host/hubServer.ts';
import { BIG, fetchOne, hubErrorOf, type HubUnderTest, hubUnderTest, REPO } from '../helpers/hubUnderTest.ts';

const NAME = createHash('sha256').update(BIG).digest('hex');
const ADDRESS = `${REPO}:big.parquet`;

describe('a download from the hub', () => {
  let test: HubUnderTest;
  let hub: HubServer;
  let blobs: string;
  beforeEach(async () => {
    test = await hubUnderTest();
    hub = test.hub;
    blobs = join(test.cache, 'datasets--lab--tasks/blobs');
  });
  afterEach(() => test.stop());

  const ranges = () => hub.requests.filter(({ origin }) => origin === 'store').map(({ range }) => range);
  const startOf = (range: string | undefined): number =>
    Number(/^bytes=(\d+)-$/.exec(range ?? 'bytes=0-')?.[1]);
  /** Fetches and cancels as soon as some bytes are there. */
  const fetchAPart = async (): Promise<void> => {
    hub.faults.holdAfter = 300_000;
    const controller = new AbortController();
    const fetching = fetchOne(await test.settings(), ADDRESS, {
      signal: controller.signal,
      onProgress: ({ received }) => (received > 100_000 ? controller.abort() : undefined),
    });
    await assert.rejects(fetching, { name: 'AbortError' });
    hub.release();
  };

  it('is kept for the next time when it cannot become what it should', async () => {
    await mkdir(join(blobs, NAME), { recursive: true });
    const partial = await claimPartial(blobs, NAME);
    await partial.handle.write('all of it');
    await assert.rejects(finishPartial(partial, blobs, NAME));
    await keepPartial(partial, blobs, NAME);
    assert.deepEqual((await readdir(blobs)).sort(), [NAME, `${NAME}.repair-bench.incomplete`]);
    assert.equal(await readFile(join(blobs, `${NAME}.repair-bench.incomplete`), 'utf8'), 'all of it');
  });

  it('goes on after a cut connection, from where it was cut', async () => {
    hub.faults.cutAfter = [200_000, 200_000];
    const { location } = await fetchOne(await test.settings(), ADDRESS);
    assert.deepEqual(await readFile(location), BIG);
    const starts = ranges().map(startOf);
    assert.equal(starts.length, 3);
    assert.ok(starts[0] === 0 && (starts[1] ?? 0) > 0 && (starts[2] ?? 0) > (starts[1] ?? 0), starts.join());
    assert.deepEqual(await readdir(blobs), [NAME]);
  });

  it('gives up when nothing arrives any more, keeps what has, and the next one continues it', async () => {
    hub.faults.cutAfter = [200_000, 0, 0, 0, 0, 0];
    assert.match(
      await hubErrorOf(fetchOne(await test.settings(), ADDRESS)),
      /^unreachable: The connection to 127\.0\.0\.1:\d+ was cut\./,
    );
    assert.deepEqual(await readdir(blobs), [`${NAME}.repair-bench.incomplete`]);
    hub.faults.cutAfter = [];
    hub.requests.length = 0;
    const { location } = await fetchOne(await test.settings(), ADDRESS);
    assert.deepEqual(await readFile(location), BIG);
    assert.ok(startOf(ranges()[0]) > 0);
    assert.deepEqual(await readdir(blobs), [NAME]);
  });

  it('keeps what has arrived when it is cancelled', async () => {
    await fetchAPart();
    assert.deepEqual(await readdir(blobs), [`${NAME}.repair-bench.incomplete`]);
    hub.requests.length = 0;
    const received: number[] = [];
    const { location } = await fetchOne(await test.settings(), ADDRESS, {
      onProgress: (each) => received.push(each.received),
    });
    assert.deepEqual(await readFile(location), BIG);
    assert.ok(startOf(ranges()[0]) > 0 && (received[0] ?? 0) > 0, 'it says at once how far it is');
  });

  it('counts as cut when no byte arrives for long', async () => {
    hub.faults.holdAfter = 100_000;
    const { location } = await fetchOne(await test.settings(), ADDRESS, {
      patience: { stallMs: 1500, retryMs: 1 },
    });
    assert.deepEqual(await readFile(location), BIG);
    // More than two on a machine that is slow itself.
    assert.ok(ranges().length >= 2);
  });

  it('starts again when the server ignores the range', async () => {
    hub.faults.ignoreRange = true;
    hub.faults.cutAfter = [200_000];
    const { location } = await fetchOne(await test.settings(), ADDRESS);
    assert.deepEqual(await readFile(location), BIG);
  });

  it('gives up when the file is shorter than the list says, however often it is begun again', async () => {
    hub.faults.endAfter = 400_000;
    assert.match(
      await hubErrorOf(fetchOne(await test.settings(), ADDRESS)),
      /^wrong-bytes: What arrived for big\.parquet is not the file that the hub lists: they end after 400\.0 kB\./,
    );
    const whole = 'bytes=0-';
    assert.deepEqual(
      ranges().map((range) => range ?? whole),
      [whole, 'bytes=400000-', whole, 'bytes=400000-', whole],
    );
    assert.deepEqual(await readdir(blobs), []);
  });

  it('takes over what a killed process has left, and leaves a living one alone', async () => {
    await mkdir(blobs, { recursive: true });
    const { pid: dead } = spawnSync(process.execPath, ['-e', '']);
    // On another machine, or in another container, the number of a living process is that of a dead one here.
    const living = `${NAME}.repair-bench-${dead}-00000001.incomplete`;
    const killed = join(blobs, `${NAME}.repair-bench-${process.ppid}-00000000.incomplete`);
    await writeFile(killed, BIG.subarray(0, 1000));
    const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000);
    await utimes(killed, elevenMinutesAgo, elevenMinutesAgo);
    await writeFile(join(blobs, living), BIG.subarray(0, 5));
    await fetchOne(await test.settings(), ADDRESS);
    assert.deepEqual(ranges(), ['bytes=1000-']);
    assert.deepEqual(await readdir(blobs), [NAME, living]);
  });

  it('is not taken over while it goes on with what was left long ago', async () => {
    const kept = join(blobs, `${NAME}.repair-bench.incomplete`);
    await mkdir(blobs, { recursive: true });
    await writeFile(kept, BIG.subarray(0, 1000));
    await utimes(kept, new Date(0), new Date(0));
    hub.faults.holdAfter = 0;
    const settings = await test.settings();
    const first = fetchOne(settings, ADDRESS);
    await hub.held;
    await fetchOne(settings, ADDRESS);
    hub.release();
    assert.deepEqual(await readFile((await first).location), BIG);
    assert.deepEqual(ranges(), ['bytes=1000-', undefined]);
  });

  it('is begun again when what had been left is wrong', async () => {
    for (const left of [Buffer.alloc(1000), Buffer.alloc(BIG.length), Buffer.alloc(BIG.length + 1)]) {
      await mkdir(blobs, { recursive: true });
      await writeFile(join(blobs, `${NAME}.repair-bench.incomplete`), left);
      const { location } = await fetchOne(await test.settings(), ADDRESS);
      assert.deepEqual(await readFile(location), BIG);
      await rm(test.cache, { recursive: true });
    }
  });

  it('is refused when its hash is another, and nothing of it is left', async () => {
    hub.faults.wrongBytes = true;
    assert.equal(
      await hubErrorOf(fetchOne(await test.settings(), ADDRESS)),
      'wrong-bytes: What arrived for big.parquet is not the file that the hub lists: their hash is another. ' +
        'Try again; if it repeats, a proxy or mirror on the way changes files. What was wrong has been deleted.',
    );
    assert.deepEqual(await readdir(blobs), []);
  });

  it('of a small file that is kept in Git is checked by the name that Git gives it', async () => {
    hub.repos.set('lab/small', { revisions: { main: { 'git/small.parquet': 'small' } } });
    hub.faults.wrongBytes = true;
    const settings = await test.settings();
    assert.match(
      await hubErrorOf(fetchOne(settings, 'lab/small')),
      /^wrong-bytes: .*: their hash is another\./,
    );
    hub.faults.wrongBytes = false;
    const { location } = await fetchOne(settings, 'lab/small');
    assert.equal(await readFile(location, 'utf8'), 'small');
    const git = createHash('sha1').update('blob 5\0small').digest('hex');
    assert.deepEqual(await readdir(join(test.cache, 'datasets--lab--small/blobs')), [git]);
  });

  it('at the same time as others gives each the same file', async () => {
    const settings = await test.settings();
    const all = await Promise.all(Array.from({ length: 8 }, () => fetchOne(settings, ADDRESS)));
    for (const { location } of all) assert.deepEqual(await readFile(location), BIG);
    assert.deepEqual(await readdir(blobs), [NAME]);
  });

  it('says when the cache is no folder that can be used', async () => {
    await mkdir(join(test.cache, '..'), { recursive: true });
    await writeFile(test.cache, 'a file');
    assert.match(
      await hubErrorOf(fetchOne(await test.settings(), ADDRESS)),
      /^cache-unusable: A file is where a folder should be, .* Set HF_HOME or HF_HUB_CACHE to a folder of yours\.$/,
    );
  });

  describe('to a small disk', () => {
    let disk: string;
    before(async function () {
      disk = await mkdtemp(join(tmpdir(), 'repair-bench-disk-'));
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
      if (mounted.status !== 0) this.skip();
    });
    after(async () => {
      spawnSync('umount', ['-l', disk]);
      await rm(disk, { recursive: true, force: true });
    });
    afterEach(() => rm(join(disk, 'hub'), { recursive: true, force: true }));

    it('is not begun when it would not fit', async () => {
      await writeFile(join(disk, 'other'), Buffer.alloc(500_000));
      const settings = await test.settings({ HF_HUB_CACHE: join(disk, 'hub') });
      assert.match(
        await hubErrorOf(fetchOne(settings, ADDRESS)),
        /^disk-full: The disk of .*\/blobs has \d+\.\d kB left, and 700\.0 kB are still to come\. Free some space, or set HF_HUB_CACHE to a folder on another disk\./,
      );
      assert.deepEqual(ranges(), []);
      await rm(join(disk, 'other'));
    });

    it('stops when the disk fills up meanwhile, and is continued when there is room', async () => {
      const settings = await test.settings({ HF_HUB_CACHE: join(disk, 'hub') });
      hub.faults.holdAfter = 200_000;
      const fetching = hubErrorOf(fetchOne(settings, ADDRESS));
      await hub.held;
      await writeFile(join(disk, 'other'), Buffer.alloc(2_000_000)).catch(() => undefined);
      hub.release();
      assert.match(await fetching, /^disk-full: The disk of .*\/blobs is full\. Free some space/);
      await rm(join(disk, 'other'));
      hub.requests.length = 0;
      const { location } = await fetchOne(settings, ADDRESS);
      assert.deepEqual(await readFile(location), BIG);
    });
  });
});
