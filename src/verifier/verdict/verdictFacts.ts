/** What is asked of a verdict wherever one is shown. Pure. */
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

/** How it went, as a test goes: passed with the whole reward, failed with less, errored without any. */
export function outcomeState(verdict: Verdict): 'passed' | 'failed' | 'errored' {
  if (verdict.outcome !== 'scored') return 'errored';
  return verdict.reward >= 1 ? 'passed' : 'failed';
}

/** A reward as people write it: at most four decimals, none when it is whole; what is just below 1 is never 1. */
export function rewardText(reward: number): string {
  const rounded = Number(reward.toFixed(4));
  return String(Number.isInteger(rounded) ? reward : rounded);
}

/** The code of why there is no reward. */
export function reasonOf(verdict: RewardlessVerdict): string {
  return verdict.outcome === 'no-verifier' ? verdict.outcome : verdict.reason;
}

/** Why the script of a gold did not put it in place; undefined when it did, or there was none. */
export function oracleFailure({ warnings }: RanVerdict): string | undefined {
  return warnings.find(({ code }) => code === 'oracle-failed')?.message;
}
