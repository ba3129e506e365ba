import assert from 'node:assert/strict';
import { rewardText } from '../../../../src/verifier/verdict/verdictFacts.ts';

describe('a reward', () => {
  it('has at most four decimals', () => {
    assert.deepEqual([0, 1, 5 / 9, 0.1 + 0.2, -2].map(rewardText), ['0', '1', '0.5556', '0.3', '-2']);
  });

  it('is never rounded to a whole one', () => {
    assert.deepEqual([0.99999, 0.000001, 1.00001].map(rewardText), ['0.99999', '0.000001', '1.00001']);
  });
});
