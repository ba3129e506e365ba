import assert from 'node:assert/strict';
import { didYouMean } from '../../../../src/cli/input/didYouMean.ts';

describe('a mistyped word', () => {
  it('is answered with all that are equally near, at most five', () => {
    assert.deepEqual(didYouMean('cat', ['bat', 'hat', 'dog', 'cats']), ['bat', 'hat', 'cats']);
    assert.deepEqual(didYouMean('verfy', ['verify', 'list']), ['verify']);
    assert.deepEqual(didYouMean('xyz', ['verify', 'list']), []);
    assert.equal(didYouMean('aa', ['ab', 'ac', 'ad', 'ae', 'af', 'ag']).length, 5);
  });
});
