// Listing and fetching against a hub over real sockets: what is found, what is kept where, and who gets the token.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { lstat, mkdir, readFile, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { downloadFileToCacheDir, scanCacheDir } from '@huggingface/hub';
import { parseHubAddress } from '../../../../src/dataset/hub/hubAddress.ts';
import { cachedChoices, fetchChoice, listTaskFiles } from '../../../../src/dataset/hub/hubDatasets.ts';
import type { HubSettings } from '../../../../src/dataset/hub/hubSettings.ts';
import { openDataset } from '../../../../src/dataset/openDataset.ts';
import { commitOf } from '../../../host/hubContent.ts';
import type { HubServer } from '../../../host/hubServer.ts';
import { ROOT } from '../../../host/root.ts';
import { BIG, fetchOne, hubErrorOf, type HubUnderTest, hubUnderTest, REPO } from '../helpers/hubUnderTest.ts';

const FIXTURES = join(ROOT, 'test/fixtures/datasets');
const never = new AbortController().signal;
const list = (settings: HubSettings, address: string) =>
  listTaskFiles(settings, parseHubAddress(address, settings.endpoint), never);
const listed = async (settings: HubSettings, address: string): Promise<string[]> =>
  (await list(settings, address)).choices.map(({ path }) => path);

describe('datasets of the hub', () => {
  let test: HubUnderTest;
  let hub: HubServer;
  let main: Record<string, Uint8Array | string>;
  before(async () => {
    const sample = await readFile(join(FIXTURES, 'v1-none.parquet'));
    main = {
      'README.md': '# Tasks\n',
      'big.parquet': BIG,
      'abe__a/tasks.parquet': sample,
      'zed__b/tasks.parquet': Buffer.from('other'),
      'data/train-00000-of-00002.parquet': sample,
      'data/train-00001-of-00002.parquet': await readFile(join(FIXTURES, 'v1-gzip.parquet')),
      'odd #1%/x y.tar.gz': 'odd',
      'empty.tar': '',
    };
    test = await hubUnderTest({
      [REPO]: { revisions: { main, v1: { 'old.parquet': 'old' } } },
      'lab/private': {
        revisions: { main: { 'a.parquet': 'private' } },
        private: true,
        readers: ['hf_reader', 'token-of-a-mirror'],
      },
      'lab/gated': { revisions: { main: { 'a.parquet': 'gated' } }, gated: true, readers: ['hf_reader'] },
      'lab/texts': { revisions: { main: { 'README.md': 'no tasks' } } },
    });
    hub = test.hub;
  });
  afterEach(async () => {
    Object.assign(hub.faults, {
      cutAfter: [],
      wrongBytes: false,
      answer: undefined,
      elsewhere: undefined,
      extraNames: [],
    });
    hub.pageSize = 1000;
    hub.requests.length = 0;
    await rm(test.cache, { recursive: true, force: true });
  });
  after(() => test.stop());

  it('are listed page by page', async () => {
    hub.pageSize = 3;
    const settings = await test.settings();
    const listing = await list(settings, REPO);
    assert.deepEqual(
      listing.choices.map(({ path, files }) => `${path} ${files.length}`),
      [
        'abe__a/tasks.parquet 1',
        'big.parquet 1',
        'data/train-*-of-00002.parquet 2',
        'empty.tar 1',
        'odd #1%/x y.tar.gz 1',
        'zed__b/tasks.parquet 1',
      ],
    );
    assert.deepEqual([listing.commit, listing.from], [commitOf(main), 'hub']);
    assert.equal(hub.requests.filter(({ url }) => url.includes('/tree/')).length, 3);
  });

  it('are found by file, folder, pattern and revision', async () => {
    const settings = await test.settings();
    assert.deepEqual(await listed(settings, `${REPO}:zed__b/tasks.parquet`), ['zed__b/tasks.parquet']);
    assert.deepEqual(await listed(settings, `${REPO}:abe__a`), ['abe__a/tasks.parquet']);
    assert.deepEqual(await listed(settings, `${REPO}:odd #1%`), ['odd #1%/x y.tar.gz']);
    assert.deepEqual(await listed(settings, `${REPO}:*/tasks.parquet`), [
      'abe__a/tasks.parquet',
      'zed__b/tasks.parquet',
    ]);
    assert.deepEqual(await listed(settings, `${REPO}@v1`), ['old.parquet']);
    assert.deepEqual(await listed(settings, `${REPO}@${commitOf(main)}:empty.tar`), ['empty.tar']);
  });

  it('come into the cache of the official clients, which find them there', async () => {
    const settings = await test.settings();
    const { location, files } = await fetchOne(settings, `${REPO}:abe__a/tasks.parquet`);
    const folder = join(test.cache, 'datasets--lab--tasks');
    assert.equal(location, join(folder, 'snapshots', commitOf(main), 'abe__a/tasks.parquet'));
    assert.equal(files[0]?.cached, false);
    assert.match(await readlink(location), /^\.\.\/\.\.\/\.\.\/blobs\/[0-9a-f]{64}$/);
    assert.equal(await readFile(join(folder, 'refs/main'), 'utf8'), commitOf(main));
    const dataset = await openDataset(location);
    assert.ok(dataset.rowCount > 0);
    await dataset.close();

    await fetchOne(settings, `${REPO}:big.parquet`);
    const scanned = await scanCacheDir(test.cache);
    assert.deepEqual(scanned.warnings, []);
    assert.deepEqual(
      scanned.repos.map(({ id, filesCount }) => [id, filesCount]),
      [[{ type: 'dataset', name: REPO }, 1]],
    );
    const requests = hub.requests.length;
    const same = await downloadFileToCacheDir({
      repo: { type: 'dataset', name: REPO },
      path: 'abe__a/tasks.parquet',
      revision: commitOf(main),
      hubUrl: hub.endpoint,
      cacheDir: test.cache,
    });
    assert.equal(same, location);
    assert.equal(hub.requests.length, requests);
  });

  it('are taken from that cache when another client has put them there', async () => {
    const debug = console.debug;
    console.debug = () => undefined;
    const theirs = await downloadFileToCacheDir({
      repo: { type: 'dataset', name: REPO },
      path: 'big.parquet',
      revision: commitOf(main),
      hubUrl: hub.endpoint,
      cacheDir: test.cache,
    }).finally(() => (console.debug = debug));
    hub.requests.length = 0;
    const { location, files } = await fetchOne(await test.settings(), `${REPO}:big.parquet`);
    assert.deepEqual([location, files[0]?.cached], [theirs, true]);
    assert.ok(!hub.requests.some(({ url }) => url.includes('/resolve/')));
  });

  it('are not downloaded again for a new commit with the same bytes', async () => {
    const settings = await test.settings();
    await fetchOne(settings, `${REPO}:big.parquet`);
    hub.repos.set(REPO, { revisions: { main: { ...main, 'README.md': '# New\n' } } });
    try {
      hub.requests.length = 0;
      const { location, files } = await fetchOne(settings, `${REPO}:big.parquet`);
      assert.equal(files[0]?.cached, true);
      assert.deepEqual(await readFile(location), BIG);
      assert.ok(!hub.requests.some(({ origin }) => origin === 'store'));
    } finally {
      hub.repos.set(REPO, { revisions: { main, v1: { 'old.parquet': 'old' } } });
    }
  });

  it('in parts come whole, and open as one', async () => {
    const settings = await test.settings();
    const progress: string[] = [];
    const { location, files } = await fetchOne(settings, `${REPO}:data`, {
      onProgress: ({ index, files: count, received, bytes }) =>
        received === bytes ? progress.push(`${index + 1}/${count}`) : undefined,
    });
    assert.deepEqual([files.length, [...new Set(progress)]], [2, ['1/2', '2/2']]);
    assert.match(location, /data\/train-\*-of-00002\.parquet$/);
    const [one, whole] = [await openDataset(files[0]?.hostPath ?? ''), await openDataset(location)];
    assert.equal(whole.rowCount, one.rowCount * 2);
    await Promise.all([one.close(), whole.close()]);
    await rm(files[1]?.hostPath ?? '');
    await assert.rejects(openDataset(location), /train-00001-of-00002\.parquet does not exist/);
  });

  it('may have odd names, and no bytes', async () => {
    const settings = await test.settings();
    const odd = await fetchOne(settings, `${REPO}:odd #1%/x y.tar.gz`);
    assert.equal(await readFile(odd.location, 'utf8'), 'odd');
    const empty = await fetchOne(settings, `${REPO}:empty.tar`);
    assert.equal(await readFile(empty.location, 'utf8'), '');
  });

  it('are never listed by a name that could lie outside of the cache', async () => {
    hub.faults.extraNames = [
      '../../../evil.parquet',
      '/etc/evil.parquet',
      'a\\..\\evil.parquet',
      'C:/evil.parquet',
      'a/../evil.tar',
    ];
    assert.ok(!(await listed(await test.settings(), REPO)).some((path) => path.includes('evil')));
  });

  it('are not read through a link out of the cache', async () => {
    const settings = await test.settings();
    const place = join(test.cache, 'datasets--lab--tasks/snapshots', commitOf(main), 'big.parquet');
    const outside = join(test.cache, '../outside.parquet');
    await mkdir(join(place, '..'), { recursive: true });
    await writeFile(outside, Buffer.alloc(BIG.length));
    await symlink(outside, place);
    const { location, files } = await fetchOne(settings, `${REPO}:big.parquet`);
    assert.equal(files[0]?.cached, false);
    assert.deepEqual(await readFile(location), BIG);
    assert.deepEqual(await readFile(outside), Buffer.alloc(BIG.length));
  });

  it('are downloaded again when the cache has only a part of them', async () => {
    const settings = await test.settings();
    const { location } = await fetchOne(settings, `${REPO}:big.parquet`);
    await truncate(location, 1000);
    const again = await fetchOne(settings, `${REPO}:big.parquet`);
    assert.deepEqual([again.location, again.files[0]?.cached], [location, false]);
    assert.deepEqual(await readFile(location), BIG);
    assert.ok((await lstat(location)).isSymbolicLink());
  });

  it('that need no download are told from those that do', async () => {
    const settings = await test.settings();
    await fetchOne(settings, `${REPO}:abe__a/tasks.parquet`);
    const { files } = await fetchOne(settings, `${REPO}:data`);
    const { location } = await fetchOne(settings, `${REPO}:big.parquet`);
    await truncate(location, 1000);
    const there = async (): Promise<string[]> =>
      [...(await cachedChoices(settings, await list(settings, REPO)))].map(({ path }) => path);
    assert.deepEqual(await there(), ['abe__a/tasks.parquet', 'data/train-*-of-00002.parquet']);
    await rm(files[1]?.hostPath ?? '');
    assert.deepEqual(await there(), ['abe__a/tasks.parquet']);
  });

  describe('the token', () => {
    it('opens private and gated datasets, and goes to the hub alone', async () => {
      const settings = await test.settings({ HF_TOKEN: 'hf_reader' });
      assert.equal(await readFile((await fetchOne(settings, 'lab/private')).location, 'utf8'), 'private');
      assert.equal(await readFile((await fetchOne(settings, 'lab/gated')).location, 'utf8'), 'gated');
      const tokens = (origin: string) =>
        new Set(hub.requests.filter((each) => each.origin === origin).map(({ token }) => token));
      assert.deepEqual(tokens('hub'), new Set(['hf_reader']));
      assert.deepEqual(tokens('store'), new Set([undefined]));
    });

    it('may be of a mirror with tokens of its own', async () => {
      const settings = await test.settings({ HF_TOKEN: 'token-of-a-mirror' });
      assert.equal(await readFile((await fetchOne(settings, 'lab/private')).location, 'utf8'), 'private');
    });

    it('is not sent where a list or a redirect leads to another host', async () => {
      const seen: (string | undefined)[] = [];
      const other = createServer(({ headers }, response) => {
        seen.push(headers.authorization);
        response.end('[]');
      }).listen(0, '127.0.0.1');
      await once(other, 'listening');
      try {
        hub.faults.elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
        hub.pageSize = 1;
        const settings = await test.settings({ HF_TOKEN: 'hf_reader' });
        await list(settings, REPO).catch(() => undefined);
        assert.equal(seen.length, 1);
        await fetchOne(settings, 'lab/private').catch(() => undefined);
        assert.ok(seen.length > 1);
        assert.deepEqual(new Set(seen), new Set([undefined]));
      } finally {
        other.close();
      }
    });
  });

  describe('without a network', () => {
    it('are those that the cache has', async () => {
      const online = await test.settings();
      await fetchOne(online, `${REPO}:data`);
      await fetchOne(online, `${REPO}@v1`);
      hub.requests.length = 0;
      const offline = await test.settings({ HF_HUB_OFFLINE: '1' });
      const listing = await list(offline, REPO);
      assert.deepEqual(
        [listing.from, listing.choices.map(({ path }) => path)],
        ['cache', ['data/train-*-of-00002.parquet']],
      );
      const [choice] = listing.choices;
      assert.ok(choice && (await cachedChoices(offline, listing)).has(choice));
      assert.equal(await readFile((await fetchOne(offline, `${REPO}@v1`)).location, 'utf8'), 'old');
      assert.deepEqual(hub.requests, []);
      const gone = { ...online, endpoint: 'http://127.0.0.1:9' };
      assert.equal((await fetchOne(gone, `${REPO}@v1:old.parquet`)).files[0]?.cached, true);
    });

    it('do not change what another client has noted of a revision', async () => {
      await fetchOne(await test.settings(), `${REPO}@v1`);
      const offline = await test.settings({ HF_HUB_OFFLINE: '1' });
      const listing = await list(offline, `${REPO}@v1`);
      const note = join(test.cache, 'datasets--lab--tasks/refs/v1');
      await writeFile(note, commitOf(main));
      const [choice] = listing.choices;
      assert.ok(choice);
      await fetchChoice(offline, listing, choice, never);
      assert.equal(await readFile(note, 'utf8'), commitOf(main));
    });

    it('are not there otherwise, and it says why', async () => {
      const offline = await test.settings({ HF_HUB_OFFLINE: '1' });
      assert.equal(
        await hubErrorOf(list(offline, `${REPO}:big.parquet`)),
        `offline: ${REPO}:big.parquet is not in the cache ${test.cache}, and HF_HUB_OFFLINE forbids to ask the hub. ` +
          'Unset HF_HUB_OFFLINE, or set HF_HUB_CACHE to the folder that has it.',
      );
      assert.deepEqual(hub.requests, []);
    });
  });

  it('that have no tasks are told from those that do not exist', async () => {
    const settings = await test.settings();
    assert.equal(
      await hubErrorOf(list(settings, 'lab/texts')),
      'no-task-files: lab/texts has no task files at revision main: none ends with .parquet, .arrow, .tar.gz, .tgz or .tar. ' +
        'Check the name; another revision may have some.',
    );
    assert.match(
      await hubErrorOf(list(settings, 'lab/texts:README.md')),
      /^no-task-files: README\.md of lab\/texts is not a file of tasks\. Name one that ends with \.parquet/,
    );
  });
});
