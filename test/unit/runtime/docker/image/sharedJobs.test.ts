import assert from 'node:assert/strict';
import { Cancelled } from '../../../../../src/runtime/docker/engine/failures.ts';
import { SharedJobs } from '../../../../../src/runtime/docker/image/sharedJobs.ts';

describe('shared jobs', () => {
  it('are done once for all who ask meanwhile, and all hear of them', async () => {
    const jobs = new SharedJobs<number>();
    const work = manual();
    const heard: string[] = [];
    const ask = (name: string): Promise<number> =>
      jobs.join('key', work.start, (line) => heard.push(`${name}:${line}`), new AbortController().signal);
    const both = [ask('a'), ask('b')];
    work.log('x');
    work.finish(7);
    assert.deepEqual(await Promise.all(both), [7, 7]);
    assert.deepEqual(heard, ['a:x', 'b:x']);
    assert.equal(work.starts, 1);
  });

  it('go on when one of two gives up, and stop when the last does', async () => {
    const jobs = new SharedJobs<number>();
    const work = manual();
    const [first, second] = [new AbortController(), new AbortController()];
    const a = jobs.join('key', work.start, () => undefined, first.signal);
    const b = jobs.join('key', work.start, () => undefined, second.signal);
    first.abort();
    await assert.rejects(a, Cancelled);
    assert.equal(work.stopped, false);
    second.abort();
    await assert.rejects(b, Cancelled);
    assert.equal(work.stopped, true);
  });

  it('start anew after a failure, and beside a job that is being given up', async () => {
    const jobs = new SharedJobs<number>();
    const failing = jobs.join(
      'key',
      () => Promise.reject(new Error('no')),
      () => undefined,
      new AbortController().signal,
    );
    await assert.rejects(failing, /no/);
    const work = manual();
    const later = jobs.join('key', work.start, () => undefined, new AbortController().signal);
    work.finish(1);
    assert.equal(await later, 1);
  });
});

/** Work that ends when the test says so, or when it is stopped. */
function manual(): {
  readonly start: (log: (line: string) => void, signal: AbortSignal) => Promise<number>;
  readonly log: (line: string) => void;
  readonly finish: (value: number) => void;
  starts: number;
  stopped: boolean;
} {
  let log: (line: string) => void = () => undefined;
  let finish: (value: number) => void = () => undefined;
  const work = {
    start: (to: (line: string) => void, signal: AbortSignal): Promise<number> => {
      work.starts++;
      log = to;
      return new Promise<number>((resolve, reject) => {
        finish = resolve;
        signal.addEventListener('abort', () => {
          work.stopped = true;
          reject(new Cancelled());
        });
      });
    },
    log: (line: string): void => log(line),
    finish: (value: number): void => finish(value),
    starts: 0,
    stopped: false,
  };
  return work;
}
