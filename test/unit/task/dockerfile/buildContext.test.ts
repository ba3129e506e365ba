import assert from 'node:assert/strict';
import { buildContextOf } from '../../../../src/task/dockerfile/buildContext.ts';
import type { TaskFiles } from '../../../../src/task/task.ts';

function files(texts: Readonly<Record<string, string>>): TaskFiles {
  return new Map(
    Object.entries(texts).map(([path, text]) => [path, { path, bytes: Buffer.from(text), mode: 0o644 }]),
  );
}

describe('the build context', () => {
  it('is all of environment/', () => {
    assert.deepEqual(
      [...buildContextOf(files({ Dockerfile: 'FROM a', 'b/c': '' })).keys()],
      ['Dockerfile', 'b/c'],
    );
  });

  it('leaves out what .dockerignore names, but never the Dockerfile', () => {
    const context = buildContextOf(
      files({ Dockerfile: 'FROM a', a: '', b: '', 'c/d': '', '.dockerignore': '*\n!b' }),
    );
    assert.deepEqual([...context.keys()].sort(), ['Dockerfile', 'b']);
  });

  it('is found quickly, whatever .dockerignore says', () => {
    const hostile = `${'*a'.repeat(200)}b\n`.repeat(200);
    const context = buildContextOf(files({ '.dockerignore': hostile, ['a'.repeat(4000)]: '' }));
    assert.equal(context.size, 2);
  });
});

describe('.dockerignore', () => {
  const rules = '# comment\n\n*.log\r\n**/__pycache__\ndata/**\n/build/\n!data/keep.txt\n';
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
      assert.equal(buildContextOf(files({ '.dockerignore': rules, [path]: '' })).has(path), !expected);
    });
});
