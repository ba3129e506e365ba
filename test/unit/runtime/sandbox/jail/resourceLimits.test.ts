import assert from 'node:assert/strict';
import { prlimitArguments } from '../../../../../src/runtime/sandbox/jail/resourceLimits.ts';

const LIMITS = { memoryMb: 512, pids: 128, fileSizeMb: 64, cpus: 2, timeoutMs: 10_000 };

describe('resource limits', () => {
  it('are hard limits for each process of the run', () => {
    assert.deepEqual(prlimitArguments(LIMITS, { processes: 0, openFiles: 1_000_000 }), [
      '--core=0:0',
      '--nproc=131:131',
      '--nofile=65536:65536',
      '--fsize=67108864:67108864',
      '--data=2684354560:2684354560',
      '--cpu=80:80',
    ]);
  });

  it('leave room for the processes that the user already has', () => {
    assert.ok(prlimitArguments(LIMITS, { processes: 300, openFiles: 1024 }).includes('--nproc=431:431'));
  });

  it('never ask for more open files than the host allows', () => {
    assert.ok(prlimitArguments(LIMITS, { processes: 0, openFiles: 1024 }).includes('--nofile=1024:1024'));
  });
});
