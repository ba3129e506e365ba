import assert from 'node:assert/strict';
import { affinityFor, parseCpuList } from '../../../../../src/runtime/sandbox/host/cpuAffinity.ts';

describe('processors of a run', () => {
  const of = (cpus: number, allowed: number[], first = 0, taskset: string | undefined = '/taskset') =>
    affinityFor(cpus, allowed, taskset, 'bubblewrap 0.8.0', first);

  it('are as many of the allowed ones as the plan says, in turns', () => {
    assert.deepEqual(of(1, [0, 1, 4]).prefix, ['/taskset', '-c', '0']);
    assert.deepEqual(of(2, [0, 1, 4], 2).prefix, ['/taskset', '-c', '4,0']);
  });

  it('are all where the plan allows that many', () => {
    assert.deepEqual(of(2, [0, 1]), { prefix: [], warning: undefined });
  });

  it('are fewer where there are fewer, and that is said', () => {
    assert.deepEqual(of(4, [0, 1]), {
      prefix: [],
      warning: { code: 'fewer-cpus', message: 'The task asks for 4 processors; this machine has 2.' },
    });
  });

  it('are rounded up to whole ones, and that is said', () => {
    const { prefix, warning: note } = of(0.5, [0, 1]);
    assert.deepEqual(prefix, ['/taskset', '-c', '0']);
    assert.equal(note?.code, 'limit-not-enforced');
    assert.equal(of(1.5, [0, 1]).warning?.code, 'limit-not-enforced');
  });

  it('cannot be limited without the program, and that is said only where it matters', () => {
    const without = (cpus: number) => affinityFor(cpus, [0, 1], undefined, 'bubblewrap 0.8.0', 0);
    assert.equal(without(1).warning?.code, 'limit-not-enforced');
    assert.equal(without(2).warning, undefined);
  });

  it('are read from the kernel’s list', () => {
    assert.deepEqual(parseCpuList('0-2,8'), [0, 1, 2, 8]);
    assert.deepEqual(parseCpuList(''), []);
  });
});
