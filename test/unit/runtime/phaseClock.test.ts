import assert from 'node:assert/strict';
import { PhaseClock } from '../../../src/runtime/phaseClock.ts';

describe('phases', () => {
  it('follow each other and add up', () => {
    const seen: string[] = [];
    const clock = new PhaseClock({ phase: (phase) => seen.push(phase) });
    for (const phase of ['create', 'upload', 'verify', 'upload'] as const) clock.enter(phase);
    assert.deepEqual(Object.keys(clock.clocks()).sort(), ['create', 'upload', 'verify']);
    assert.deepEqual(seen, ['create', 'upload', 'verify', 'upload']);
  });
});
