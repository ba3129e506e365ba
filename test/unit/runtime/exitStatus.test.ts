import assert from 'node:assert/strict';
import { stepEndOf } from '../../../src/runtime/exitStatus.ts';

describe('end of a step', () => {
  it('is an exit code, or a signal when a shell reports one', () => {
    assert.deepEqual(stepEndOf(3, false), { how: 'exited', code: 3 });
    assert.deepEqual(stepEndOf(128, false), { how: 'exited', code: 128 });
    assert.deepEqual(stepEndOf(255, false), { how: 'exited', code: 255 });
    assert.deepEqual(stepEndOf(137, false), { how: 'killed', signal: 'SIGKILL', outOfMemory: false });
    assert.deepEqual(stepEndOf(137, true), { how: 'killed', signal: 'SIGKILL', outOfMemory: true });
    assert.deepEqual(stepEndOf(139, true), { how: 'killed', signal: 'SIGSEGV', outOfMemory: false });
    assert.deepEqual(stepEndOf(153, false), { how: 'killed', signal: 'SIGXFSZ', outOfMemory: false });
  });
});
