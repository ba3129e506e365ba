import assert from 'node:assert/strict';
import { processEnd, refusedStart } from '../../../../../src/runtime/docker/container/ending.ts';
import { answered } from '../helpers/engineErrors.ts';

describe('how a step ended', () => {
  it('is read from the exit code', () => {
    assert.deepEqual(processEnd(0, false, ''), { how: 'exited', code: 0 });
    assert.deepEqual(processEnd(127, false, 'bash: line 1: x: not found'), { how: 'exited', code: 127 });
    assert.deepEqual(processEnd(255, false, ''), { how: 'exited', code: 255 });
    assert.deepEqual(processEnd(137, true, ''), { how: 'killed', signal: 'SIGKILL', outOfMemory: true });
    assert.deepEqual(processEnd(143, true, ''), { how: 'killed', signal: 'SIGTERM', outOfMemory: false });
  });

  it('is "cannot start" when an init program or the engine says so', () => {
    for (const words of [
      '[FATAL tini (7)] exec bash failed: No such file or directory',
      'OCI runtime exec failed: exec failed: unable to start container process: exec: "bash": executable file not found in $PATH: unknown\r\n',
    ]) {
      assert.deepEqual(processEnd(127, false, words), { how: 'cannot-start', message: words.trim() });
    }
  });

  it('is "cannot start" only for refusals that a task can cause', () => {
    const refusal = answered(400, 'unable to find user nosuch: no matching entries in passwd file');
    assert.equal(refusedStart(refusal)?.how, 'cannot-start');
    assert.equal(refusedStart(answered(500, 'failed to create endpoint x on network bridge')), undefined);
    assert.equal(refusedStart(new Error('permission denied')), undefined);
  });
});
