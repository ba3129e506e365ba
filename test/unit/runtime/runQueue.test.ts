import assert from 'node:assert/strict';
import { type QueueEnding, RunQueue } from '../../../src/runtime/runQueue.ts';

/** A job that ends when told, or a little after it is aborted: as a container does. */
function job(log: string[], name: string) {
  let finish: (ending: string) => void = () => undefined;
  const done = new Promise<string>((resolve) => (finish = resolve));
  const run = async (signal: AbortSignal): Promise<string> => {
    log.push(`start ${name}`);
    const aborted = new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => setImmediate(() => resolve('cancelled')), { once: true });
    });
    const ending = await Promise.race([done, aborted]);
    log.push(`end ${name}`);
    return ending;
  };
  return { run, finish: () => finish('finished') };
}

const STOPPED = { kind: 'stopped' } as const;
const ran = <T>(value: T): QueueEnding<T> => ({ kind: 'ran', value });

const settled = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe('the run queue', () => {
  it('cancels and replaces: the new run starts when the old one is gone', async () => {
    const log: string[] = [];
    const queue = new RunQueue(2);
    const [first, second] = [job(log, 'first'), job(log, 'second')];
    const one = queue.run('task', first.run);
    await settled();
    const two = queue.run('task', second.run);
    assert.deepEqual(await one, ran('cancelled'));
    await settled();
    second.finish();
    assert.deepEqual(await two, ran('finished'));
    assert.deepEqual(log, ['start first', 'end first', 'start second', 'end second']);
    assert.equal(queue.isBusy('task'), false);
  });

  it('starts only the newest of many that come while one runs', async () => {
    const log: string[] = [];
    const queue = new RunQueue(2);
    const jobs = ['a', 'b', 'c', 'd'].map((name) => job(log, name));
    const runs = jobs.map(({ run }) => queue.run('task', run));
    jobs.at(-1)?.finish();
    const endings = await Promise.all(runs);
    assert.deepEqual(endings.at(-1), ran('finished'));
    for (const ending of endings.slice(1, -1))
      assert.ok(ending.kind === 'stopped' || ending.value === 'cancelled');
  });

  it('runs no more at once than it may', async () => {
    const log: string[] = [];
    const queue = new RunQueue(1);
    const [first, second] = [job(log, 'first'), job(log, 'second')];
    const one = queue.run('one', first.run);
    const two = queue.run('two', second.run);
    await settled();
    assert.deepEqual(log, ['start first']);
    first.finish();
    second.finish();
    assert.deepEqual(await Promise.all([one, two]), [ran('finished'), ran('finished')]);
  });

  it('cancels one that waits for its turn, and the next still gets it', async () => {
    const log: string[] = [];
    const queue = new RunQueue(1);
    const [first, second, third] = [job(log, 'first'), job(log, 'second'), job(log, 'third')];
    const one = queue.run('one', first.run);
    const two = queue.run('two', second.run);
    const three = queue.run('three', third.run);
    await settled();
    await queue.cancel('two');
    assert.deepEqual(await two, STOPPED);
    first.finish();
    third.finish();
    assert.deepEqual(await Promise.all([one, three]), [ran('finished'), ran('finished')]);
    assert.doesNotMatch(log.join(), /second/);
  });

  it('resolves cancel when the job has ended, and survives jobs that throw', async () => {
    const log: string[] = [];
    const queue = new RunQueue(1);
    const one = queue.run('one', job(log, 'one').run);
    await settled();
    await queue.cancel('one');
    assert.deepEqual(log, ['start one', 'end one']);
    await one;
    await assert.rejects(
      queue.run('one', async () => {
        throw new Error('broken');
      }),
      /broken/,
    );
    assert.deepEqual(await queue.run('one', async () => 'fine'), ran('fine'));
    await queue.cancel('nobody');
  });

  it('ends everything when it is disposed of', async () => {
    const log: string[] = [];
    const queue = new RunQueue(1);
    const runs = [queue.run('one', job(log, 'one').run), queue.run('two', job(log, 'two').run)];
    await settled();
    await queue.dispose();
    assert.deepEqual(await Promise.all(runs), [ran('cancelled'), STOPPED]);
  });
});
