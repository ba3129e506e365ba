import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shortened, shortenedInside, shortenedLine } from '../../../src/wording/shortened.ts';

/** Characters as a person sees them: an e with an accent of its own, a family, a thumb with a colour, a line break. */
const CHARACTERS = ['a', ' ', 'é', 'e\u0301', '😀', '👨‍👩‍👧', '👍🏽', '\r\n', '日', 'नि'];
const written = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 60 });
const most = fc.integer({ min: 1, max: 80 });
const BETWEEN = ' [something was left out here] ';
/** Anything that JavaScript takes for text, halves of characters included. */
const anything = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
  .map((units) => String.fromCharCode(...units));

function endsInside(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

describe('a shortened text', () => {
  it('is the text itself where it is short enough', () => {
    assert.equal(shortened('four', 4), 'four');
    assert.equal(shortened('', 0), '');
  });

  it('counts its mark', () => {
    assert.equal(shortened('fives', 4), 'fiv…');
    assert.equal(shortened('fives', 1), '…');
  });

  it('keeps whole what a person sees as one character', () => {
    fc.assert(
      fc.property(written, most, (characters, limit) => {
        const text = characters.join('');
        const short = shortened(text, limit);
        assert.ok(short.length <= limit);
        if (text.length <= limit) return assert.equal(short, text);
        assert.ok(short.endsWith('…'));
        const kept = short.slice(0, -1);
        const whole = characters.map((_, count) => characters.slice(0, count).join(''));
        assert.ok(whole.includes(kept), JSON.stringify(kept));
        // As much as fits: the next character would not have.
        const next = characters[whole.indexOf(kept)] ?? '';
        assert.ok((kept + next).length > limit - 1);
      }),
    );
  });

  it('never ends in half a character, whatever it holds', () => {
    fc.assert(
      fc.property(anything, most, (text, limit) => {
        const short = shortened(text, limit);
        assert.ok(short.length <= limit);
        if (text.length > limit) assert.ok(!endsInside(text, short.length - 1));
      }),
    );
  });

  it('is cut as fast when one character goes on for ever', () => {
    const text = `a${'\u0301'.repeat(1_000_000)}`;
    const started = performance.now();
    for (let time = 0; time < 100; time++) assert.ok(shortened(text, 500_000).length <= 500_000);
    // Reading it all would take seconds.
    assert.ok(performance.now() - started < 1000);
  });

  it('is on one line when that is asked for', () => {
    assert.equal(shortenedLine('  one\n\ttwo  three ', 20), 'one two three');
    assert.equal(shortenedLine('one\ntwo', 5), 'one …');
  });
});

describe('a text shortened inside', () => {
  it('keeps both ends and says how much is gone', () => {
    assert.deepEqual(
      shortenedInside('0123456789', 4, (omitted) => `[${omitted}]`),
      { text: '01[6]89', omitted: 6 },
    );
    assert.deepEqual(
      shortenedInside('0123', 4, () => 'never'),
      { text: '0123', omitted: 0 },
    );
  });

  it('cuts no character, keeps to its limit and counts right', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          written.map((all) => all.join('')),
        ),
        most,
        (text, limit) => {
          const { text: short, omitted } = shortenedInside(text, limit, () => BETWEEN);
          if (text.length <= limit) return assert.equal(short, text);
          assert.ok(short.length - BETWEEN.length <= limit);
          assert.equal(short.length - BETWEEN.length + omitted, text.length);
          const [first, last] = short.split(BETWEEN);
          assert.ok(first !== undefined && last !== undefined);
          assert.ok(text.startsWith(first) && text.endsWith(last));
          const end = first.length;
          assert.ok(!endsInside(text, end) && !endsInside(text, end + omitted));
        },
      ),
    );
  });
});
