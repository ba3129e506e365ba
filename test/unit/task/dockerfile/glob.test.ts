import assert from 'node:assert/strict';
import { pathMatcher } from '../../../../src/task/dockerfile/glob.ts';

describe('a wildcard', () => {
  for (const [pattern, path, expected] of [
    ['*.py', 'a.py', true],
    ['*.py', 'src/a.py', false],
    ['src/*', 'src/a.py', true],
    ['s*c/?.py', 'src/a.py', true],
    ['[a-c]x', 'bx', true],
    ['[^a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]a]x', ']x', true],
    ['a[', 'a[', false],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['*', '', true],
    ['a*b*c', 'aXbYbZc', true],
    ['a*b*c', 'aXbYbZ', false],
  ] as const)
    it(`${pattern} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(path)}`, () => {
      assert.equal(pathMatcher(pattern)(path), expected);
    });

  it('with many stars takes no long time', () => {
    const start = performance.now();
    assert.equal(pathMatcher(`${'*a'.repeat(50)}b`)('a'.repeat(4000)), false);
    assert.ok(performance.now() - start < 1000);
  });
});
