import assert from 'node:assert/strict';
import { JobsInOrder } from '../../../../src/editor/platform/jobsInOrder.ts';

describe('jobs in order', () => {
  it('starts each when the one before it is done', async () => {
    const steps: string[] = [];
    const jobs = new JobsInOrder(() => undefined);
    jobs.add(async () => {
      steps.push('first begins');
      await new Promise((resolve) => setImmediate(resolve));
      steps.push('first ends');
    });
    jobs.add(() => {
      steps.push('second');
    });
    assert.deepEqual(steps, []);
    await jobs.done;
    assert.deepEqual(steps, ['first begins', 'first ends', 'second']);
  });

  it('reports one that fails, and does those after it', async () => {
    const seen: unknown[] = [];
    const jobs = new JobsInOrder((error) => seen.push(error));
    const error = new Error('no such item');
    jobs.add(() => {
      throw error;
    });
    jobs.add(() => {
      seen.push('done');
    });
    await jobs.done;
    assert.deepEqual(seen, [error, 'done']);
  });
});
