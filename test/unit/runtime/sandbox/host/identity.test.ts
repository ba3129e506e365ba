import assert from 'node:assert/strict';
import { mappedRanges } from '../../../../../src/runtime/sandbox/host/identity.ts';

describe('what the kernel says', () => {
  it('about mapped ids', () => {
    assert.deepEqual(mappedRanges('         0       1000          1\n         1     100000      65536\n'), [
      { first: 0, count: 1 },
      { first: 1, count: 65536 },
    ]);
    assert.deepEqual(mappedRanges(''), []);
  });
});
