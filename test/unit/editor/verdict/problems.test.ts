import assert from 'node:assert/strict';
import { outdatedProblems, type Problem, problemsOf } from '../../../../src/editor/verdict/problems.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import type { Verdict } from '../../../../src/verifier/verdict/verdict.ts';
import { ENGINE_ERROR, NO_VERIFIER, scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';
import { problemLines } from '../helpers/problemLines.ts';

function problems(verdict: Verdict): readonly Problem[] {
  return problemsOf(verdict, { files: ['/app/solution.py'], t: inEnglish });
}

describe('problems of a verdict', () => {
  it('tell gate by gate, the reward first, failures where they are', () => {
    assert.equal(
      problemLines(problems(scored())),
      `information /app/solution.py:1 [reward] Reward 0: 2 of 5 gates passed. Decided by "test_solution.py passes" (test.sh:40).
    task tests/test.sh:9 The reward is written here
information /app/solution.py:1 [exists@20] Gate "solution.py exists" passed.
    task tests/test.sh:20 The gate in test.sh
information /app/solution.py:1 [edited@25] Gate "solution.py was edited" passed.
    task tests/test.sh:25 The gate in test.sh
error /app/solution.py:3:5 [compiles@30] Gate "solution.py compiles" failed. SyntaxError: invalid syntax.
    task tests/test.sh:30 The gate in test.sh
error /app/solution.py:1 [tests@40] Gate "test_solution.py passes" failed. 1 of 2 tests failed. It decided the reward.
    task tests/test.sh:40 The gate in test.sh
    task tests/test_solution.py:14 The assertion
information /app/solution.py:1 [check@50] Gate "style" was not reached.
    task tests/test.sh:50 The gate in test.sh
error /app/solution.py:7 [case] Test test_solution.test_two failed: assert 999 == 1000
    task tests/test_solution.py:14 The assertion
    task tests/test.sh:40 The gate in test.sh`,
    );
  });

  it('are one error when there is no reward, and it says that the verifier is at fault', () => {
    assert.equal(
      problemLines(problems(unscored())),
      'error /app/solution.py:1 [unscored] No reward: the verifier is at fault, not the solution. test.sh ended without writing a reward. Read its output.',
    );
  });

  it('are one error when nothing could run, and it blames neither the solution nor the verifier', () => {
    assert.equal(
      problemLines(problems(ENGINE_ERROR)),
      `error /app/solution.py:1 [engine-error] Could not run: neither solution nor verifier is at fault. The image could not be built. Correct the Dockerfile.
    task environment/Dockerfile:5 Here`,
    );
  });

  it('are one error when there is no verifier, and it says that the task is at fault', () => {
    assert.equal(
      problemLines(problems(NO_VERIFIER)),
      'error /app/solution.py:1 [no-verifier] No reward: the task is at fault, not the solution. tiny has no tests/test.sh. Add it.',
    );
  });

  it('are none after a cancelled run, and none without a file to show them on', () => {
    const cancelled: Verdict = { outcome: 'cancelled', version: 2, holdsFor: ENGINE_ERROR.holdsFor };
    assert.deepEqual(problems(cancelled), []);
    assert.deepEqual(problemsOf(scored(), { files: [], t: inEnglish }), []);
  });

  it('never show the command of a gate, which is a line of a hidden file', () => {
    const hidden = scored().gates.map((gate) => ({ ...gate, command: 'SECRET' }));
    assert.doesNotMatch(problemLines(problems(scored({ gates: hidden }))), /SECRET/);
  });
});

describe('problems once the solution has changed', () => {
  const then = ['one', 'two', '    three', 'four', 'five', 'six', 'seven'];

  function outdated(now: readonly string[] | undefined): string {
    return problemLines(
      outdatedProblems(
        problems(scored()),
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
