import assert from 'node:assert/strict';
import { statusText } from '../../../../src/editor/verdict/statusText.ts';
import type { TaskState } from '../../../../src/editor/task/taskState.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { ENGINE_ERROR, scored, unscored } from '../../verifier/helpers/smallVerdicts.ts';
import { shown, state } from '../helpers/taskStates.ts';

describe('the status item', () => {
  const cases: readonly (readonly [string, TaskState])[] = [
    ['$(beaker) bugsinpy-0001 · unchanged', state({ solution: 'unchanged' })],
    ['$(beaker) bugsinpy-0001 · not verified', state()],
    ['$(beaker) bugsinpy-0001 · reward 0 · 2/5 gates', shown(scored())],
    ['$(beaker) bugsinpy-0001 · reward 0.5556 · 2/5 gates', shown(scored({ reward: 5 / 9 }))],
    ['$(history) bugsinpy-0001 · reward 0 · 2/5 gates · outdated', shown(scored(), true)],
    ['$(beaker) bugsinpy-0001 · no reward', shown(unscored())],
    ['$(beaker) bugsinpy-0001 · could not run', shown(ENGINE_ERROR)],
    [
      '$(loading~spin) bugsinpy-0001 · running test.sh',
      { ...shown(scored()), activity: { kind: 'running', phase: 'verify' } },
    ],
    ['$(loading~spin) bugsinpy-0001 · cancelling', state({ activity: { kind: 'cancelling' } })],
    ['$(clock) bugsinpy-0001 · waiting', state({ activity: { kind: 'waiting' } })],
    ['$(warning) bugsinpy-0001 · solution cannot be read', state({ solution: 'unreadable' })],
  ];
  for (const [expected, given] of cases)
    it(`reads ${expected}`, () => {
      assert.equal(statusText(given, inEnglish).text, expected);
    });

  it('lists the gates in its tooltip', () => {
    const { tooltip } = statusText(shown(scored()), inEnglish);
    assert.ok(tooltip.includes('failed: solution.py compiles'));
    assert.ok(tooltip.includes('not reached: style'));
  });
});

describe('a solution that is the starter again', () => {
  const again = { ...shown(scored(), true), solution: 'unchanged' as const };

  it('is unchanged, and no longer outdated', () => {
    const { text, tooltip } = statusText(again, inEnglish);
    assert.equal(text, '$(beaker) bugsinpy-0001 · unchanged');
    assert.deepEqual(tooltip, [
      'bugsinpy-0001.tar.gz',
      'Unchanged from the starter, which this verifier refuses.',
      'Click to verify.',
    ]);
  });
});

describe('text of a task', () => {
  it('is no icon in the status item', () => {
    const hostile = statusText({ ...shown(scored({})), taskId: '$(error) evil' }, inEnglish);
    assert.doesNotMatch(hostile.text.slice(1), /\$\(error\)/);
    assert.match(hostile.spoken, /evil/);
  });
});
