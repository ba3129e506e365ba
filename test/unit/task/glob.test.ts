import assert from 'node:assert/strict';
import { ignoredBy } from '../../../src/task/dockerignore.ts';
import { pathMatcher } from '../../../src/task/glob.ts';
import { MOST_WORK } from '../../../src/task/workLeft.ts';

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

describe('.dockerignore', () => {
  const ignored = ignoredBy('# comment\n\n*.log\r\n**/__pycache__\ndata/**\n/build/\n!data/keep.txt\n', {
    left: MOST_WORK,
  });
  for (const [path, expected] of [
    ['a.log', true],
    ['sub/a.log', false],
    ['__pycache__/x.pyc', true],
    ['a/b/__pycache__/x.pyc', true],
    ['data/a/b', true],
    ['data/keep.txt', false],
    ['build/out', true],
    ['a.py', false],
  ] as const)
    it(`${expected ? 'leaves out' : 'keeps'} ${path}`, () => {
      assert.equal(ignored(path), expected);
    });
});
