import assert from 'node:assert/strict';
import { hiddenText, spoilerOf } from '../../../../src/editor/files/spoilers.ts';

describe('spoilers', () => {
  const kinds: readonly (readonly [string, ReturnType<typeof spoilerOf>])[] = [
    ['instruction.md', undefined],
    ['environment/solution.py', undefined],
    ['task.toml', undefined],
    ['tests/test.sh', 'tests'],
    ['tests/initial/x.c', 'tests'],
    ['tests/fixed/x.c', 'gold'],
    ['solution/solve.sh', 'gold'],
    ['tests/expected.diff', 'expected-diff'],
    ['gold.patch', 'expected-diff'],
  ];
  for (const [path, kind] of kinds)
    it(`${path} is ${kind ?? 'none'}`, () => {
      assert.equal(spoilerOf(path), kind);
    });

  it('are replaced by a note that says how to see them', () => {
    assert.match(hiddenText('tests/test.sh', 'tests'), /^# tests\/test.sh is hidden[^]*Browse Task Files/);
  });
});
