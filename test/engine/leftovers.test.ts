// What the suites leave on an engine: what is theirs goes and is named, what is anybody else's stays.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { OWNER_LABEL, TASK_LABEL } from '../../src/runtime/docker/container/container.ts';
import { ownerOfThisProcess, pidNamespace } from '../../src/runtime/owner.ts';
import { ensureNoBashImage, NO_BASH_IMAGE } from '../host/baseImage.ts';
import { ensurePrivateEngine, removePrivateEngine, type PrivateEngine } from '../host/engine.ts';
import { askEngine } from '../host/engineApi.ts';
import { leavingNothing } from '../host/leftovers.ts';
import { SECOND } from './testPlan.ts';

const GONE = `${hostname()}/${pidNamespace()}/${2 ** 22 + 1}/1/gone`;
const SETTLE_MS = 100;
/** Nobody else can start an engine of their own. */
const isRoot = process.getuid?.() === 0;

const created = z.object({ Id: z.string() });
const containers = z.array(z.object({ Names: z.array(z.string()) }));
const images = z.array(z.object({ RepoTags: z.array(z.string()).nullable() }));

describe('what tests leave on an engine', function () {
  this.timeout(120 * SECOND);
  let engine: PrivateEngine;
  before(async function () {
    if (!isRoot) this.skip();
    engine = await ensurePrivateEngine(`leftovers-${process.pid}`);
    await ensureNoBashImage(engine);
  });
  after(async () => {
    if (isRoot) await removePrivateEngine(engine);
  });

  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> => {
    const sent = body && Readable.from(JSON.stringify(body));
    const answer = await askEngine(engine.host, method, path, sent, 'application/json');
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.body}`);
    return answer.body === '' ? undefined : JSON.parse(answer.body);
  };
  /** A container and an image made of it, as those of a task; gives the container's name. */
  const leave = async (owner: string | undefined): Promise<string> => {
    const name = `left-${randomUUID()}`;
    const labels = { [TASK_LABEL]: 'some-task', ...(owner !== undefined && { [OWNER_LABEL]: owner }) };
    const container = { Image: NO_BASH_IMAGE, Cmd: ['true'], Labels: labels };
    const { Id } = created.parse(await ask('POST', `/containers/create?name=${name}`, container));
    await ask('POST', `/commit?container=${Id}&repo=repair-bench/${name}`);
    return `/${name}`;
  };
  const containersNow = async (): Promise<string[]> =>
    containers.parse(await ask('GET', '/containers/json?all=1')).flatMap(({ Names }) => Names);
  const imagesNow = async (): Promise<string[]> =>
    images.parse(await ask('GET', '/images/json?all=1')).flatMap(({ RepoTags }) => RepoTags ?? ['none']);
  const leaving = (suite: () => Promise<unknown>): ReturnType<typeof leavingNothing> =>
    leavingNothing(engine, suite, SETTLE_MS);

  for (const [whose, owner] of Object.entries({ 'an owner that is gone': GONE, nobody: undefined }))
    it(`goes when it is of ${whose}, and the containers are named`, async () => {
      let name = '';
      const { left } = await leaving(async () => (name = await leave(owner)));
      assert.deepEqual(left, [`container ${name}, of task some-task, Created`]);
      assert.deepEqual(await containersNow(), []);
      assert.deepEqual(await imagesNow(), [NO_BASH_IMAGE]);
    });

  it('goes when the suite has failed, and is no fault of the next suite otherwise', async () => {
    const failing = leaving(async () => {
      await leave(GONE);
      throw new Error('it failed');
    });
    await assert.rejects(failing, /it failed/);
    assert.deepEqual(await containersNow(), []);
    await leave(GONE);
    const { left } = await leaving(async () => assert.deepEqual(await containersNow(), []));
    assert.deepEqual(left, []);
    assert.deepEqual(await imagesNow(), [NO_BASH_IMAGE]);
  });

  it('stays while another run of tests uses the engine, and goes with that one', async () => {
    const outer = await leaving(async () => {
      const inner = await leaving(() => leave(GONE));
      assert.deepEqual(inner.left, []);
      assert.equal((await containersNow()).length, 1);
    });
    assert.equal(outer.left.length, 1);
    assert.deepEqual(await containersNow(), []);
  });

  it('stays when it is of a living owner, with all images', async () => {
    const name = await leave(ownerOfThisProcess('somebody'));
    const { left } = await leaving(async () => undefined);
    assert.deepEqual(left, []);
    assert.deepEqual(await containersNow(), [name]);
    assert.equal((await imagesNow()).length, 2);
    await ask('DELETE', `/containers/${name.slice(1)}`);
  });

  it('is not theirs, and stays, when it is made of an image that tests did not import', async () => {
    const tar = Readable.from(Buffer.alloc(1024));
    const { status } = await askEngine(engine.host, 'POST', '/images/create?fromSrc=-&repo=theirs', tar);
    assert.equal(status, 200);
    const theirs = { Image: 'theirs', Cmd: ['true'], Labels: { [OWNER_LABEL]: GONE } };
    await ask('POST', '/containers/create?name=theirs', theirs);
    const { left } = await leaving(async () => undefined);
    assert.deepEqual(left, []);
    assert.deepEqual(await containersNow(), ['/theirs']);
    assert.ok((await imagesNow()).includes('theirs:latest'));
  });
});
