import assert from 'node:assert/strict';
import { markOf } from '../../../../src/editor/datasets/taskMark.ts';
import { ENGINE_ERROR, NO_VERIFIER, scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';

describe('the mark of a row', () => {
  it('follows the last verdict as long as it holds', () => {
    const facts = { changed: true, holds: true };
    assert.deepEqual(markOf({ ...facts, lastVerdict: scored({ reward: 1 }) }), { kind: 'solved', reward: 1 });
    assert.deepEqual(markOf({ ...facts, lastVerdict: scored({ reward: 0.5 }) }), {
      kind: 'failed',
      reward: 0.5,
    });
    assert.deepEqual(markOf({ ...facts, lastVerdict: unscored() }), { kind: 'no-reward' });
    assert.deepEqual(markOf({ ...facts, lastVerdict: NO_VERIFIER }), { kind: 'no-reward' });
    assert.deepEqual(markOf({ ...facts, lastVerdict: ENGINE_ERROR }), { kind: 'could-not-run' });
  });

  it('is about the solution when no verdict holds', () => {
    assert.deepEqual(markOf(undefined), { kind: 'untouched' });
    assert.deepEqual(markOf({ changed: false, holds: false, lastVerdict: undefined }), {
      kind: 'unverified',
    });
    assert.deepEqual(markOf({ changed: true, holds: false, lastVerdict: scored({ reward: 1 }) }), {
      kind: 'edited',
    });
  });
});
