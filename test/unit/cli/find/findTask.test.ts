import assert from 'node:assert/strict';
import { CliError } from '../../../../src/cli/failures/cliError.ts';
import { chooseRow } from '../../../../src/cli/find/findTask.ts';
import { PathListBuilder } from '../../../../src/dataset/tables/pathList.ts';
import { remedyText } from '../../../host/remedyText.ts';

function list(...names: string[]) {
  const builder = new PathListBuilder(names.length, 1 << 20);
  for (const name of names) builder.addText(name);
  return builder.finish();
}

function refusal(names: string[], row: string | undefined): string {
  try {
    return String(chooseRow(list(...names), row, 'x.parquet'));
  } catch (error) {
    assert.ok(error instanceof CliError);
    return `${error.message} ${remedyText(error.remedies)}`;
  }
}

describe('naming a row', () => {
  it('works by path, by index, and not at all where there is only one', () => {
    const paths = list('a', 'b.tar.gz', '7', 'c');
    assert.equal(chooseRow(paths, 'a', ''), 0);
    assert.equal(chooseRow(paths, 'b', ''), 1);
    assert.equal(chooseRow(paths, '#3', ''), 3);
    assert.equal(chooseRow(paths, '3', ''), 3);
    assert.equal(chooseRow(paths, '7', ''), 2);
    assert.equal(chooseRow(list('a'), undefined, ''), 0);
  });

  it('is answered with the choices there are', () => {
    const names = ['bugsinpy-0001', 'bugsinpy-0002', 'bugsinpy-0001'];
    assert.equal(
      refusal(names, 'bugsinpy-0001'),
      "2 rows of x.parquet have the path bugsinpy-0001. Name one by its index: '#0' and '#2'.",
    );
    assert.equal(
      refusal(names, 'bugsinpy-0002x'),
      'x.parquet has no row bugsinpy-0002x. Did you mean bugsinpy-0002?',
    );
    assert.equal(
      refusal(names, 'zzz'),
      'x.parquet has no row zzz. "repair-bench list x.parquet" shows its rows.',
    );
    assert.equal(
      refusal(names, '#9'),
      'x.parquet has no row #9; its 3 rows are #0 to #2. "repair-bench list x.parquet" shows them.',
    );
    assert.equal(
      refusal(['only'], '#1'),
      'x.parquet has no row #1; its only row is #0. "repair-bench list x.parquet" shows them.',
    );
    assert.equal(
      refusal(names, undefined),
      `x.parquet has 3 rows. Name one by its path or '#INDEX'; "repair-bench list x.parquet" shows them.`,
    );
  });
});
