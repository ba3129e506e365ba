import assert from 'node:assert/strict';
import { nodeToSelect, type RunNode, runTree } from '../../../../src/editor/history/runTree.ts';
import type { TaskState } from '../../../../src/editor/task/taskState.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { ENGINE_ERROR, NO_VERIFIER, scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';
import { shown, state } from '../helpers/taskStates.ts';

function text(nodes: readonly RunNode[], indent = ''): string {
  return nodes
    .map(
      ({ icon, label, description, children, dimmed }) =>
        `${indent}${dimmed ? '~' : ''}${icon}: ${label}${description === '' ? '' : ` | ${description}`}` +
        (children.length === 0 ? '' : `\n${text(children, `${indent}  `)}`),
    )
    .join('\n');
}

describe('the Run view', () => {
  it('shows outcome, gates with their cases, clocks, runtime and output', () => {
    assert.equal(
      text(runTree(shown(scored({ warnings: [{ code: 'fallback', message: 'Odd.' }] })), inEnglish)),
      `failed: Reward 0 | 2 of 5 gates passed
passed: solution.py exists | passed · line 20
passed: solution.py was edited | passed · line 25
failed: solution.py compiles | failed · line 30
failed: test_solution.py passes | failed · decided · line 40
  passed: test_one | passed · 3 ms
  failed: test_two | assert 999 == 1000
not-reached: style | not reached · line 50
warning: Odd.
clock: Time | test.sh 1.2 s · image 4.2 s
  clock: build | 4.2 s
  clock: verify | 1.2 s
runtime: Docker 28.2.2 | cccccccccccc
output: Output of test.sh`,
    );
  });

  it('says that no reward is not a reward of 0', () => {
    const tree = text(runTree(shown(unscored()), inEnglish));
    assert.match(
      tree,
      /^errored: No reward\nerrored: test.sh ended without writing a reward.\nnext-step: Read/,
    );
  });

  it('says what failed when nothing could run', () => {
    assert.equal(
      text(runTree(shown(ENGINE_ERROR), inEnglish)),
      'errored: Could not run\nerrored: The image could not be built.\nnext-step: Correct the Dockerfile.',
    );
  });

  it('shows no runtime, no clocks and no output when there was no verifier to run', () => {
    assert.equal(
      text(runTree(shown(NO_VERIFIER), inEnglish)),
      'errored: No reward\nerrored: tiny has no tests/test.sh.\nnext-step: Add it.',
    );
  });

  it('dims everything that is outdated, and says so', () => {
    const tree = text(runTree(shown(scored(), true), inEnglish));
    assert.match(tree, /^~outdated: Reward 0 \| outdated: the solution has changed/);
    assert.match(tree, /~failed: test_solution.py passes/);
  });

  it('shows what is going on above the last run', () => {
    const running: TaskState = { ...shown(scored()), activity: { kind: 'running', phase: 'build' } };
    assert.match(
      text(runTree(running, inEnglish)),
      /^running: Running \| building the image\nfailed: Reward 0/,
    );
    assert.equal(text(runTree(state(), inEnglish)), '');
  });

  it('says every state in words for those who do not see icons', () => {
    const spoken = (nodes: readonly RunNode[]): string[] =>
      nodes.flatMap((node) => [node.spoken, ...spoken(node.children)]);
    const all = spoken(runTree(shown(scored()), inEnglish));
    assert.ok(
      all.includes(
        'test_solution.py passes, failed, decided the reward, line 40 of test.sh, 1 of 2 tests failed.',
      ),
    );
    assert.ok(all.includes('test_solution.test_two, failed, assert 999 == 1000'));
  });

  it('leads the eye to the gate that decided, or to the outcome', () => {
    assert.equal(nodeToSelect(shown(scored())), 'gate:tests@40');
    assert.equal(nodeToSelect(shown(unscored())), 'outcome');
  });

  it('gives every node an id of its own', () => {
    const ids = (nodes: readonly RunNode[]): string[] =>
      nodes.flatMap((node) => [node.id, ...ids(node.children)]);
    const all = ids(runTree(shown(scored()), inEnglish));
    assert.equal(new Set(all).size, all.length);
  });
});

describe('a solution that is the starter again', () => {
  const again = { ...shown(scored(), true), solution: 'unchanged' as const };

  it('says so above the last run, whether or not its verifier looks for an edit', () => {
    const first = (refusesStarter: boolean): string =>
      runTree({ ...again, refusesStarter }, inEnglish)[0]?.label ?? '';
    assert.equal(first(true), 'Unchanged from the starter, which this verifier refuses.');
    assert.equal(first(false), "Unchanged from the starter: the verifier would give the starter's result.");
  });
});
