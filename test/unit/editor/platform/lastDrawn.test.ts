import assert from 'node:assert/strict';
import { LastDrawn } from '../../../../src/editor/platform/lastDrawn.ts';

describe('what was drawn last', () => {
  it('changes with the value, and not with another object of the same content', () => {
    const drawn = new LastDrawn<string>();
    assert.equal(drawn.changed('a', { lines: [1] }), true);
    assert.equal(drawn.changed('a', { lines: [1] }), false);
    assert.equal(drawn.changed('a', { lines: [2] }), true);
    assert.equal(drawn.changed('a', { lines: [1] }), true);
  });

  it('is kept for each key apart, also when there is nothing to draw', () => {
    const drawn = new LastDrawn<object>();
    const [one, other] = [{}, {}];
    assert.deepEqual([drawn.changed(one, undefined), drawn.changed(one, undefined)], [true, false]);
    assert.equal(drawn.changed(other, undefined), true);
  });

  it('changes again once it was forgotten', () => {
    const drawn = new LastDrawn<string>();
    drawn.changed('a', 1);
    drawn.changed('b', 1);
    drawn.forget('a');
    assert.deepEqual([drawn.changed('a', 1), drawn.changed('b', 1)], [true, false]);
  });
});
