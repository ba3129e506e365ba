import assert from 'node:assert/strict';
import { failingPlaces, type FailingPlace } from '../../../../src/editor/verdict/failingPlaces.ts';
import { hoverHeading, hoverText } from '../../../../src/editor/verdict/failureHover.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';

describe('a hover on a failing line', () => {
  const [, ofCase] = failingPlaces(scored());

  it('says gate, case, what was compared, and what the runner printed', () => {
    assert.ok(ofCase);
    assert.equal(hoverHeading(ofCase, inEnglish), 'A test failed here (line 40 of test.sh)');
    assert.equal(
      hoverText(ofCase, inEnglish),
      'test_solution.py passes · test_solution.test_two\nassert 999 == 1000\nexpected: 1000\nactual: 999\n\nE  assert 999 == 1000',
    );
  });

  it('is bounded and free of what steers a terminal', () => {
    assert.ok(ofCase);
    const long: FailingPlace = { ...ofCase, detail: `\u001b[31mred\u001b[0m\n${'x\n'.repeat(10_000)}` };
    const said = hoverText(long, inEnglish);
    assert.ok(said.length < 2100);
    assert.ok(said.endsWith('\n…'));
    assert.match(said, /^red$/m);
  });
});
