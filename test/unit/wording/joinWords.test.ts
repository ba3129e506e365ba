import assert from 'node:assert/strict';
import { joined, joinWords } from '../../../src/wording/joinWords.ts';

describe('a list in a sentence', () => {
  const letters = ['a', 'b', 'c', 'd', 'e'];

  it('has its last word behind an "and"', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((count) => joinWords(letters.slice(0, count))),
      ['', 'a', 'a and b', 'a, b and c'],
    );
  });

  it('has its last word behind an "or" where one of them is meant', () => {
    assert.equal(joinWords(letters.slice(0, 3), { last: 'or' }), 'a, b or c');
  });

  it('names no more than asked for, and counts the others', () => {
    assert.deepEqual(
      [0, 1, 2, 4, 5].map((most) => joinWords(letters, { most })),
      ['5 more', 'a and 4 more', 'a, b and 3 more', 'a, b, c, d and 1 more', 'a, b, c, d and e'],
    );
  });
});

describe('facts side by side', () => {
  it('leave no gap for what says nothing', () => {
    assert.equal(joined(['', 'passed', undefined, '3 ms', '']), 'passed · 3 ms');
    assert.equal(joined(['a', '', 'b'], '\n'), 'a\nb');
    assert.equal(joined([]), '');
  });
});
