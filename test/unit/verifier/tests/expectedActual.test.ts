import assert from 'node:assert/strict';
import { parseComparison } from '../../../../src/verifier/tests/expectedActual.ts';

describe('what a failure compared', () => {
  for (const [detail, expected, actual] of [
    ['>       assert f() == 4\nE       assert 3 == 4\nE        +  where 3 = f()', '4', '3'],
    ["E       AssertionError: assert [1, '=='] == [2]", '[2]', "[1, '==']"],
    ["E   AssertionError: assert 'a\\nb' == 'a\\nc'", 'a\nc', 'a\nb'],
    ["E   AssertionError: 'x' != 'y' : my own words", "'y'", "'x'"],
    ['AssertionError: 1 != 2', '2', '1'],
    [
      [
        "E   AssertionError: assert {'a': '...', 'b': 1} == {'a': '...', 'b': 2}",
        'E     Differing items:',
        "E     {'b': 1} != {'b': 2}",
        'E     Full diff:',
        'E       {',
        "E         'a': 'long',",
        "E     -   'b': 2,",
        'E     ?        ^',
        "E     +   'b': 1,",
        'E       }',
      ].join('\n'),
      "{\n  'a': 'long',\n  'b': 2,\n}",
      "{\n  'a': 'long',\n  'b': 1,\n}",
    ],
  ] as const)
    it(detail.split('\n').at(-1) ?? '', () =>
      assert.deepEqual(parseComparison(detail), { expected, actual }),
    );
  for (const detail of [
    'E   assert f(1)',
    "E   assert 'aaa...bbb' == 'ccc'",
    'E   assert 1 == 2 == 3',
    'E   ValueError: 1 == 2',
    "E   assert 'open == 2",
    '>   assert f() == 4',
  ])
    it(`${detail} tells nothing`, () => assert.equal(parseComparison(detail), undefined));
});
