import assert from 'node:assert/strict';
import { problemsOf } from '../../../../src/editor/verdict/problems.ts';
import { outdatedProblems } from '../../../../src/editor/verdict/staleProblems.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { scored } from '../../verifier/helpers/smallVerdicts.ts';
import { problemLines } from '../helpers/problemLines.ts';

describe('problems once the solution has changed', () => {
  const then = ['one', 'two', '    three', 'four', 'five', 'six', 'seven'];

  function outdated(now: readonly string[] | undefined): string {
    return problemLines(
      outdatedProblems(
        problemsOf(scored(), { files: ['/app/solution.py'], t: inEnglish }),
        () => then,
        () => now,
        inEnglish,
      ),
    );
  }

  it('stay where their line did not change, as information and marked outdated', () => {
    const now = outdated([...then.slice(0, 6), 'seven', 'eight']);
    assert.match(now, /information \/app\/solution.py:7 \[case\] Outdated: Test/);
    assert.doesNotMatch(now, /^error/m);
  });

  it('go where their line moved or changed', () => {
    const now = outdated(['zero', ...then]);
    assert.doesNotMatch(now, /:7 \[case\]|:3:5/);
    assert.match(now, /:1 \[reward\] Outdated: Reward 0/);
  });

  it('go with the file', () => {
    assert.equal(outdated(undefined), '');
  });
});
