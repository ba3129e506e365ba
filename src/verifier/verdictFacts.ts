/** What is asked of a verdict wherever one is shown. Pure. */
import type { RanVerdict, Verdict } from './verdict.ts';

/** A verdict of a run that took place. */
export function didRun(verdict: Verdict): verdict is RanVerdict {
  return verdict.outcome === 'scored' || verdict.outcome === 'unscored';
}

export function passedGates({ gates }: RanVerdict): { readonly passed: number; readonly total: number } {
  return { passed: gates.filter(({ state }) => state === 'passed').length, total: gates.length };
}

/** A reward as people write it: at most four decimals, none when it is whole. */
export function rewardText(reward: number): string {
  return String(Number(reward.toFixed(4)));
}

/** Why the script of a gold did not put it in place; undefined when it did, or there was none. */
export function oracleFailure({ warnings }: RanVerdict): string | undefined {
  return warnings.find(({ code }) => code === 'oracle-failed')?.message;
}
