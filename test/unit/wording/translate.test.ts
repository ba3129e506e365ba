import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/wording/translate.ts';

describe('a text in English', () => {
  it('has its arguments in their places, and leaves a place without one as it is', () => {
    assert.equal(inEnglish('{1} of {0}, {2}', 5, 'two'), 'two of 5, {2}');
  });

  it('reads no places in its arguments', () => {
    assert.equal(inEnglish('{0} and {1}', '{1}', 'x'), '{1} and x');
  });
});
