import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textChange } from '../../../../../src/editor/platform/text/textChange.ts';

describe('the smallest change between two texts', () => {
  it('turns one into the other, whatever they are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'é', '😀', '😁'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = textChange(before, after);
        if (!change) return before === after;
        const { start, end, text: inserted } = change;
        assert.ok(start <= end);
        for (const offset of [start, end])
          assert.doesNotMatch(before.slice(offset - 1, offset + 1), /^\r\n$/);
        return before.slice(0, start) + inserted + before.slice(end) === after;
      }),
    );
  });

  it('leaves alone what is the same', () => {
    assert.deepEqual(textChange('one two three', 'one 2 three'), { start: 4, end: 7, text: '2' });
    assert.equal(textChange('same', 'same'), undefined);
  });
});
