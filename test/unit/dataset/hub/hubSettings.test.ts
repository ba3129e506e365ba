// The variables of the official clients, read as they read them.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hubCacheFolder, readHubSettings } from '../../../../src/dataset/hub/hubSettings.ts';
import { hubErrorOf } from '../helpers/hubUnderTest.ts';

describe('settings of the hub', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'repair-bench-hub-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('have defaults', async () => {
    assert.deepEqual(await readHubSettings({}, home), {
      endpoint: 'https://huggingface.co',
      cache: join(home, '.cache/huggingface/hub'),
      token: undefined,
      offline: false,
      proxy: undefined,
    });
  });

  it('take the cache from the variable that says it most exactly', async () => {
    const cacheOf = async (env: Record<string, string>): Promise<string> => {
      const { cache } = await readHubSettings(env, home);
      // The doctor asks for it alone.
      assert.equal(hubCacheFolder(env, home), cache);
      return cache;
    };
    const env = { XDG_CACHE_HOME: '/x', HF_HOME: '/h', HUGGINGFACE_HUB_CACHE: '/old', HF_HUB_CACHE: '/c' };
    assert.equal(await cacheOf(env), '/c');
    assert.equal(await cacheOf({ ...env, HF_HUB_CACHE: '' }), '/old');
    assert.equal(await cacheOf({ HF_HOME: '/h', XDG_CACHE_HOME: '/x' }), '/h/hub');
    assert.equal(await cacheOf({ XDG_CACHE_HOME: '/x' }), '/x/huggingface/hub');
    assert.equal(await cacheOf({ HF_HOME: '~/hf' }), join(home, 'hf/hub'));
    assert.equal(await cacheOf({ HF_HOME: '$BASE/${NAME}/$LEFT', BASE: '/b', NAME: 'n' }), '/b/n/$LEFT/hub');
  });

  it('take the token from HF_TOKEN, else from the file that "hf auth login" writes', async () => {
    const tokenOf = async (env: Record<string, string>) => (await readHubSettings(env, home)).token;
    assert.deepEqual(await tokenOf({ HF_TOKEN: ' hf_a\n', HUGGING_FACE_HUB_TOKEN: 'hf_b' }), {
      value: 'hf_a',
      from: 'HF_TOKEN',
    });
    assert.deepEqual(await tokenOf({ HUGGING_FACE_HUB_TOKEN: 'hf_b' }), {
      value: 'hf_b',
      from: 'HUGGING_FACE_HUB_TOKEN',
    });
    const folder = join(home, '.cache/huggingface');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'token'), 'hf_file\n');
    assert.deepEqual(await tokenOf({}), { value: 'hf_file', from: join(folder, 'token') });
    assert.deepEqual((await tokenOf({ HF_TOKEN: 'hf_a' }))?.value, 'hf_a');
    await writeFile(join(home, 'other'), '\n');
    assert.equal(await tokenOf({ HF_TOKEN_PATH: '~/other' }), undefined);
  });

  it('know when the network must not be used', async () => {
    for (const [text, offline] of [
      ['1', true],
      ['true', true],
      ['YES', true],
      ['0', false],
      ['', false],
      ['no', false],
    ] as const)
      assert.equal((await readHubSettings({ HF_HUB_OFFLINE: text }, home)).offline, offline, text);
  });

  it('drop the slash at the end of an endpoint, and refuse what is none', async () => {
    assert.equal(
      (await readHubSettings({ HF_ENDPOINT: 'http://mirror.example:8080/hub/' }, home)).endpoint,
      'http://mirror.example:8080/hub',
    );
    for (const text of [
      'mirror.example',
      'file:///x',
      'https://user:pass@mirror.example',
      'https://mirror.example/?a=b',
    ])
      assert.match(
        await hubErrorOf(readHubSettings({ HF_ENDPOINT: text }, home)),
        /^bad-settings: HF_ENDPOINT is ".*", which is not the address of a hub\. Set it to an address such as https:\/\/huggingface\.co, or unset it\.$/,
      );
  });

  it('refuse a token that cannot be one, and do not repeat it', async () => {
    const says = await hubErrorOf(readHubSettings({ HF_TOKEN: 'my secret' }, home));
    assert.match(says, /^bad-settings: What HF_TOKEN holds is not a token/);
    assert.ok(!says.includes('secret'));
  });

  it('say when the token file cannot be read', async () => {
    const folder = join(home, 'token');
    await mkdir(folder);
    assert.match(
      await hubErrorOf(readHubSettings({ HF_TOKEN_PATH: folder }, home)),
      /^bad-settings: The token file .*\/token cannot be read: EISDIR.* Make it readable for you, or set HF_TOKEN\.$/,
    );
  });
});
