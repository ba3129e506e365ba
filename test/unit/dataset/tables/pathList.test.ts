import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type PathList, PathListBuilder } from '../../../../src/dataset/tables/pathList.ts';

describe('a list of paths', () => {
  it('finds text anywhere in a path, ASCII letters in either case', () => {
    const list = listOf(['bugsinpy-0001', 'ManyBugs/php-12', 'bugsinpy-0012', 'größe-12']);
    assert.deepEqual(list.find('12', 10), [1, 2, 3]);
    assert.deepEqual(list.find('12', 2), [1, 2]);
    assert.deepEqual(list.find('MANYBUGS', 10), [1]);
    assert.deepEqual(list.find('GRößE', 10), [3]);
    assert.deepEqual(list.find('nothing', 10), []);
    assert.deepEqual(list.find('', 2), [0, 1]);
  });

  it('does not find text that begins in one path and ends in the next', () => {
    const list = listOf(['ab', 'cd', 'bc']);
    assert.deepEqual(list.find('bc', 10), [2]);
    assert.deepEqual(list.rowsOf('bc'), [2]);
  });

  it('gives all rows of a path, and the rows without one', () => {
    const list = listOf(['a', '', 'ab', 'a', '']);
    assert.deepEqual(list.rowsOf('a'), [0, 3]);
    assert.deepEqual(list.rowsOf(''), [1, 4]);
    assert.deepEqual(list.slice(3, 9), ['a', '']);
    assert.throws(() => list.pathAt(5), /There is no row 5; the last row is 4/);
  });

  it('refuses more bytes than the limit', () => {
    const builder = new PathListBuilder(2, 4);
    builder.addText('abc');
    assert.throws(() => builder.addText('de'), /more than 4 bytes/);
  });

  it('holds any paths, and finds each of them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 40 }), (paths) => {
        const list = listOf(paths);
        assert.deepEqual(list.slice(0, paths.length), paths);
        for (const path of paths) {
          const rows = paths.flatMap((other, row) => (other === path ? [row] : []));
          assert.deepEqual(list.rowsOf(path), rows);
        }
      }),
    );
  });
});

function listOf(paths: readonly string[]): PathList {
  const builder = new PathListBuilder(paths.length, 1 << 20);
  for (const path of paths) builder.addText(path);
  return builder.finish();
}
