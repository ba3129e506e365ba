import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fromHostName, toHostName } from '../../../src/workspace/hostNames.ts';
import { segment } from './helpers/segments.ts';

describe('the name of a file on disk', () => {
  it('has a name that Windows can hold', () => {
    fc.assert(
      fc.property(segment, (name) => {
        const host = toHostName(name);
        assert.doesNotMatch(host, /[\u0000-\u001f<>:"|?*\\/]|[. ]$/);
        assert.doesNotMatch(host, /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        assert.equal(fromHostName(host), name);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps ordinary names as they are and writes the others as escapes', () => {
    for (const [name, host] of [
      ['solution.py', 'solution.py'],
      ['größe 1.txt', 'größe 1.txt'],
      ['100%', '100%'],
      ['aux.c', '%61ux.c'],
      ['a:b', 'a%3Ab'],
      ['trailing.', 'trailing%2E'],
      ['caf\udce9', 'caf%E9'],
      ['%41', '%2541'],
    ] as const)
      assert.equal(toHostName(name), host);
  });
});
