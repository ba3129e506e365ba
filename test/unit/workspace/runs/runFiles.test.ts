import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nextRunName } from '../../../../src/workspace/runs/runFiles.ts';

describe('the name of a run', () => {
  const HASH = 'c'.repeat(64);

  it('sorts behind every name there is, for any clock', () => {
    const times = fc.date({ min: new Date(0), max: new Date('9998-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(times, { minLength: 2, maxLength: 8 }), (clock) => {
        const names: string[] = [];
        for (const now of clock) names.push(nextRunName(now, HASH, names.at(-1)));
        assert.deepEqual([...names].sort(), names);
        assert.equal(new Set(names).size, names.length);
      }),
    );
  });

  it('does not leave the years that it can hold', () => {
    const last = `9999-12-31T23-59-59.999Z-${'0'.repeat(8)}.json`;
    assert.equal(nextRunName(new Date(0), HASH, last), '1970-01-01T00-00-00.000Z-cccccccc.json');
  });
});
