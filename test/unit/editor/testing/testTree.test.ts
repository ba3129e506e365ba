import assert from 'node:assert/strict';
import { type TestNode, type TestPlace, testTree } from '../../../../src/editor/testing/testTree.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import type { TaskState } from '../../../../src/editor/task/taskState.ts';
import { ENGINE_ERROR, scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';
import { shown, state } from '../helpers/taskStates.ts';

const TESTS = 'import solution\n\n\ndef test_one():\n    pass\n\n\ndef test_two():\n    assert 999 == 1000\n';

function tree(task: TaskState, revealed: boolean): string {
  const files: Readonly<Record<string, string>> = { 'tests/test.sh': '', 'tests/test_solution.py': TESTS };
  return text(
    testTree(task, {
      t: inEnglish,
      firstFile: '/app/solution.py',
      tests: ['/tests/test.sh', '/tests/test_solution.py'],
      textOf: (path) => (revealed ? files[path] : undefined),
    }),
  );
}

function text(node: TestNode, indent = ''): string {
  const { label, description, result, children } = node;
  const notes = (result?.notes ?? []).map(
    ({ text: said, compared, place }) =>
      `\n${indent}  "${said.replaceAll('\n', '/')}"${compared ? ` [${compared.expected} != ${compared.actual}]` : ''}${at(place)}`,
  );
  const time = result?.durationMs === undefined ? '' : ` ${result.durationMs} ms`;
  const trial = node.trial ? ' trial' : '';
  const head = `${indent}${result?.state ?? 'none'}: ${label} (${description})${time}${trial}${at(node.place)}`;
  return `${head}${notes.join('')}${children.map((child) => `\n${text(child, `${indent}  `)}`).join('')}`;
}

function at(place: TestPlace | undefined): string {
  return place ? ` @ ${place.path}${place.line === undefined ? '' : `:${place.line}`}` : '';
}

describe('a task in the Testing view', () => {
  it('has its gates and their cases, with states, times, messages and places', () => {
    assert.equal(
      tree(shown(scored()), true),
      `failed: bugsinpy-0001 (reward 0 · 2/5 gates) 1234 ms @ /app/solution.py:1
  "Reward 0: 2 of 5 gates passed. Decided by "test_solution.py passes" (test.sh:40)."
  passed: solution.py exists (line 20) @ tests/test.sh:20
  passed: solution.py was edited (line 25) @ tests/test.sh:25
  failed: solution.py compiles (line 30) @ tests/test.sh:30
    "SyntaxError: invalid syntax." @ /app/solution.py:3
  failed: test_solution.py passes (decided · line 40) trial @ tests/test.sh:40
    "1 of 2 tests failed. It decided the reward."
    passed: test_one () 3 ms trial @ tests/test_solution.py:4
    failed: test_two () 12 ms trial @ tests/test_solution.py:8
      "assert 999 == 1000//E  assert 999 == 1000" [1000 != 999] @ /app/solution.py:7
  skipped: style (line 50) @ tests/test.sh:50`,
    );
  });

  it('gives away no line of a file that is hidden', () => {
    const cases = [
      {
        name: 'test_solution.test_two',
        state: 'failed' as const,
        at: { path: '/tests/test_solution.py' as const, line: 9 },
        gateLine: 40,
      },
    ];
    const hidden = tree(shown(scored({ cases })), false);
    assert.doesNotMatch(hidden, /@ tests\/.*:\d/);
    assert.match(
      hidden,
      /failed: test_two \(\) trial @ tests\/test_solution\.py\n {6}"The report does not say why\."$/m,
    );
    assert.match(tree(shown(scored({ cases })), true), /say why\." @ tests\/test_solution\.py:9$/m);
  });

  it('is errored when there is no reward, and says what happened', () => {
    assert.equal(
      tree(shown(unscored()), true),
      `errored: bugsinpy-0001 (no reward) 1234 ms @ /app/solution.py:1
  "No reward: the verifier is at fault, not the solution. test.sh ended without writing a reward. Read its output."`,
    );
    assert.match(tree(shown(ENGINE_ERROR), true), /^errored: .* \(could not run\).*\n {2}"Could not run: /);
  });

  it('says when it is outdated, and when nothing was run', () => {
    assert.match(
      tree(shown(scored(), true), true),
      /^failed: bugsinpy-0001 \(reward 0 · 2\/5 gates · outdated\)/,
    );
    assert.equal(tree(state(), true), 'none: bugsinpy-0001 (not verified) @ /app/solution.py:1');
  });
});
