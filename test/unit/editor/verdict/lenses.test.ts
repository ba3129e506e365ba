import assert from 'node:assert/strict';
import { lensesOf } from '../../../../src/editor/verdict/lenses.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';
import { ENGINE_ERROR, scored } from '../../verifier/helpers/smallVerdicts.ts';
import { shown, state } from '../helpers/taskStates.ts';

describe('the lenses of a solution', () => {
  const lenses = (activity: Parameters<typeof lensesOf>[0]['activity']): string =>
    lensesOf(state({ activity }), inEnglish)
      .map(({ title, command }) => (command === undefined ? title : `[${title}]`))
      .join(' ');

  it('offer what can be done, and say what is going on', () => {
    const edits = '[Compare with starter] [Reset]';
    assert.equal(lenses({ kind: 'idle' }), `[$(beaker) Verify] ${edits}`);
    assert.equal(lenses({ kind: 'running', phase: 'verify' }), `$(sync~spin) Verifying… [Cancel] ${edits}`);
    assert.equal(lenses({ kind: 'waiting' }), `$(clock) Waiting… [Cancel] ${edits}`);
    assert.equal(lenses({ kind: 'cancelling' }), `$(sync~spin) Cancelling… ${edits}`);
  });

  it('offer the gold fix only while a verdict of reward 1 holds and nothing runs', () => {
    const offers = (of: ReturnType<typeof shown>): boolean =>
      lensesOf(of, inEnglish).some(({ command }) => command === 'repairBench.saveGoldFix');
    assert.ok(offers(shown(scored({ reward: 1 }))));
    assert.ok(!offers(shown(scored({ reward: 1 }), true)));
    assert.ok(!offers(shown(scored({ reward: 0.5 }))));
    assert.ok(!offers(shown(ENGINE_ERROR)));
    const running = { kind: 'running', phase: undefined } as const;
    assert.ok(!offers({ ...shown(scored({ reward: 1 })), activity: running }));
  });
});
