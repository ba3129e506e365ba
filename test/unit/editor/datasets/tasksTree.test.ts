import assert from 'node:assert/strict';
import { PathListBuilder } from '../../../../src/dataset/tables/pathList.ts';
import type { TaskMark } from '../../../../src/editor/datasets/taskMark.ts';
import { moreLabel, PAGE_ROWS, rowAppearance, rowPage } from '../../../../src/editor/datasets/tasksTree.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';

function paths(count: number) {
  const builder = new PathListBuilder(count, 1 << 30);
  for (let row = 0; row < count; row++) builder.addText(`set-${row % 1000}/task-${row}.tar.gz`);
  return builder.finish();
}

describe('a page of rows', () => {
  it('is all of a small dataset', () => {
    const page = rowPage(paths(3), '', PAGE_ROWS);
    assert.equal(page.rows.length, 3);
    assert.equal(page.more, undefined);
  });

  it('is the first 200 of a large one, and says how many are left', () => {
    const page = rowPage(paths(450), '', PAGE_ROWS);
    assert.equal(page.rows.length, 200);
    assert.deepEqual(page.more, { count: 250 });
    assert.equal(moreLabel({ count: 250 }, inEnglish), 'Show next 200 of 250…');
    assert.equal(moreLabel({ count: 50 }, inEnglish), 'Show last 50…');
  });

  it('holds the rows that match a filter, in either case', () => {
    const page = rowPage(paths(2000), 'TASK-19.', PAGE_ROWS);
    assert.deepEqual(
      page.rows.map(({ row }) => row),
      [19],
    );
    assert.deepEqual(rowPage(paths(2000), 'set-1', 10).more, { count: undefined });
    assert.deepEqual(rowPage(paths(10), 'nothing', 10), { rows: [], more: undefined });
  });

  it('comes at once from 600,000 rows', function () {
    this.timeout(30_000);
    const all = paths(600_000);
    rowPage(all, 'warm', 1);
    const start = performance.now();
    rowPage(all, '', PAGE_ROWS);
    rowPage(all, 'task-599999', PAGE_ROWS);
    rowPage(all, 'nowhere', PAGE_ROWS);
    assert.ok(performance.now() - start < 2000);
  });
});

describe('a row', () => {
  it('tells two rows of one path apart', () => {
    const look = (row: number) => rowAppearance(row, 'same', { kind: 'untouched' }, inEnglish);
    assert.equal(look(4).description, '#4');
    assert.notEqual(look(4).spoken, look(5).spoken);
  });

  const marks: readonly (readonly [TaskMark, string])[] = [
    [{ kind: 'untouched' }, '#7'],
    [{ kind: 'unverified' }, 'unverified · #7'],
    [{ kind: 'edited' }, 'edited · #7'],
    [{ kind: 'solved', reward: 1 }, 'reward 1 · #7'],
    [{ kind: 'failed', reward: 0.25 }, 'reward 0.25 · #7'],
    [{ kind: 'no-reward' }, 'no reward · #7'],
    [{ kind: 'could-not-run' }, 'could not run · #7'],
  ];
  for (const [mark, words] of marks)
    it(`says ${words} in words, and has an icon of its own`, () => {
      assert.equal(rowAppearance(7, 'x', mark, inEnglish).description, words);
      const icons = marks.map(([each]) => rowAppearance(7, 'x', each, inEnglish).icon);
      assert.equal(new Set(icons).size, icons.length);
    });
});

describe('a row whose workspace has a gold fix', () => {
  it('says so in its description and for screen readers, beside how far the person got', () => {
    const look = rowAppearance(7, 'x', { kind: 'solved', reward: 1, goldFix: true }, inEnglish);
    assert.equal(look.description, 'reward 1 · gold fix · #7');
    assert.equal(look.spoken, 'x, solved, reward 1, has a gold fix, row 7');
    const without = rowAppearance(7, 'x', { kind: 'solved', reward: 1, goldFix: false }, inEnglish);
    assert.equal(without.spoken, 'x, solved, reward 1, row 7');
  });
});
