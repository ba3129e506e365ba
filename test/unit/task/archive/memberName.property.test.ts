import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeName, encodeName } from '../../../../src/task/archive/memberName.ts';

describe('a name', () => {
  it('of any bytes survives decoding and encoding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        assert.deepEqual(encodeName(decodeName(bytes)), Uint8Array.from(bytes));
      }),
    );
  });

  it('that no byte stands behind cannot be encoded', () => {
    assert.throws(() => encodeName('a\ud800'), RangeError);
  });
});
