import assert from 'node:assert/strict';
import { ignoredBy } from '../../../../src/runtime/docker/dockerIgnore.ts';

describe('.dockerignore', () => {
  const cases: [string, string[], string[]][] = [
    ['', [], ['a', 'a/b']],
    ['a', ['a', 'a/b/c'], ['ab', 'b/a']],
    ['/a/', ['a', 'a/b'], ['b/a']],
    ['*.pyc', ['x.pyc'], ['d/x.pyc', 'xpyc']],
    ['**/*.pyc', ['x.pyc', 'd/e/x.pyc'], ['x.py']],
    ['d/**', ['d/a', 'd/b/c'], ['a']],
    ['a?c', ['abc'], ['ac', 'a/c']],
    ['[ab]x', ['ax', 'bx'], ['cx']],
    ['a.b(c)+', ['a.b(c)+'], ['aXb(c)+']],
    ['*\n!keep', ['a', 'd/a'], ['keep', 'keep/x']],
    ['# c\n\n  a  ', ['a'], ['# c']],
    ['[', ['['], ['a']],
  ];
  for (const [text, ignored, kept] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      const isIgnored = ignoredBy(text);
      for (const path of ignored) assert.equal(isIgnored(path), true, path);
      for (const path of kept) assert.equal(isIgnored(path), false, path);
    });
  }
});
