import assert from 'node:assert/strict';
import { timerMs } from '../../../src/runtime/timers.ts';

describe('a time for a timer', () => {
  it('is whole, and no longer than a timer can wait', () => {
    assert.deepEqual([0.5, 1500, 1e12].map(timerMs), [1, 1500, 2 ** 31 - 1]);
    assert.equal(AbortSignal.timeout(timerMs(1e12 + 0.5)).aborted, false);
  });
});
