/** Facts about a verdict for whoever shows one. Pure. */
import type { Gate, RanVerdict, RewardlessVerdict, Verdict } from './verdict.ts';

/** Whether a run took place. */
export function didRun(verdict: Verdict): verdict is RanVerdict {
  return verdict.outcome === 'scored' || verdict.outcome === 'unscored';
}

export function passedGates({ gates }: RanVerdict): { readonly passed: number; readonly total: number } {
  return { passed: gates.filter(({ state }) => state === 'passed').length, total: gates.length };
}

/** The gate that decided the reward. */
export function decisiveGate({ gates }: RanVerdict): Gate | undefined {
  return gates.find(({ decisive }) => decisive);
}

/** The verdict as the state of a test: passed with a reward of 1 or more, failed with less, errored without one. */
export function outcomeState(verdict: Verdict): 'passed' | 'failed' | 'errored' {
  if (verdict.outcome !== 'scored') return 'errored';
  return verdict.reward >= 1 ? 'passed' : 'failed';
}

/** A reward with at most four decimals; one just below 1 is not rounded up to 1. */
export function rewardText(reward: number): string {
  const rounded = Number(reward.toFixed(4));
  return String(Number.isInteger(rounded) ? reward : rounded);
}

/** The code of the reason why there is no reward. */
export function reasonOf(verdict: RewardlessVerdict): string {
  return verdict.outcome === 'no-verifier' ? verdict.outcome : verdict.reason;
}

/** Why the oracle failed; undefined when it succeeded or none ran. */
export function oracleFailure({ warnings }: RanVerdict): string | undefined {
  return warnings.find(({ code }) => code === 'oracle-failed')?.message;
}
