import assert from 'node:assert/strict';
import { fullOutcome } from '../../../../src/editor/verdict/fullOutcome.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { ENGINE_ERROR, scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';

describe('a remedy in the editor', () => {
  it('follows what came of a run', () => {
    const reward = 'Reward 0: 2 of 5 gates passed. Decided by "test_solution.py passes" (test.sh:40).';
    assert.equal(fullOutcome(scored(), inEnglish), reward);
    assert.equal(
      fullOutcome(unscored(), inEnglish),
      'No reward: the verifier is at fault, not the solution. test.sh ended without writing a reward. Read its output.',
    );
    assert.equal(
      fullOutcome(ENGINE_ERROR, inEnglish),
      'Could not run: neither solution nor verifier is at fault. The image could not be built. Correct the Dockerfile.',
    );
  });
});
