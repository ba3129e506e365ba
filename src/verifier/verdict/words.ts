/** A verdict in words, for the editor and the command line: the outcome, and who is at fault. */
import type { Phase } from '../../runtime/runtime.ts';
import { joined } from '../../wording/joinWords.ts';
import type { Translate } from '../../wording/translate.ts';
import type { GateState, RewardlessVerdict, TestCase, Verdict } from './verdict.ts';
import { decisiveGate, passedGates, rewardText } from './verdictFacts.ts';

/** The outcome inside a line: `reward 0`, `no reward`, `could not run`. */
export function outcomeWords(verdict: Verdict, t: Translate): string {
  switch (verdict.outcome) {
    case 'scored':
      return t('reward {0}', rewardText(verdict.reward));
    case 'unscored':
    case 'no-verifier':
      return t('no reward');
    case 'engine-error':
      return t('could not run');
    case 'cancelled':
      return t('cancelled');
  }
}

/** {@link outcomeWords} as a label of its own: `Reward 0`, `No reward`, `Could not run`. */
export function outcomeLabel(verdict: Verdict, t: Translate): string {
  const words = outcomeWords(verdict, t);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Who is at fault when there is no reward, as a clause. A timeout may be the fault of either: an endless loop in the
 * solution looks like a slow verifier.
 */
export function blameWords(verdict: RewardlessVerdict, t: Translate): string {
  switch (verdict.outcome) {
    case 'engine-error':
      return t('neither solution nor verifier is at fault');
    case 'no-verifier':
      return t('the task is at fault, not the solution');
    case 'unscored':
      return verdict.reason === 'timed-out'
        ? t('either the solution or the verifier took too long')
        : t('the verifier is at fault, not the solution');
  }
}

/** The outcome and its reason in one line, without remedies. */
export function outcomeSentence(verdict: Verdict, t: Translate): string {
  switch (verdict.outcome) {
    case 'scored': {
      const { passed, total } = passedGates(verdict);
      const reward = rewardText(verdict.reward);
      const decisive = decisiveGate(verdict);
      if (total === 0) return t('Reward {0}.', reward);
      const gates = t('Reward {0}: {1} of {2} gates passed.', reward, passed, total);
      if (!decisive || decisive.state === 'passed') return gates;
      return `${gates} ${t('Decided by "{0}" (test.sh:{1}).', decisive.title, decisive.line)}`;
    }
    case 'unscored':
    case 'no-verifier':
    case 'engine-error': {
      const kind = t('{0}: {1}.', outcomeLabel(verdict, t), blameWords(verdict, t));
      return joined([kind, verdict.message], ' ');
    }
    case 'cancelled':
      return t('The run was cancelled.');
  }
}

export function gateStateWord(state: GateState, t: Translate): string {
  switch (state) {
    case 'passed':
      return t('passed');
    case 'failed':
      return t('failed');
    case 'errored':
      return t('could not run');
    case 'not-reached':
      return t('not reached');
  }
}

/** The state of one or several tests: `had an error`, `had errors`. */
export function caseStateWord(state: TestCase['state'], t: Translate, count = 1): string {
  switch (state) {
    case 'passed':
      return t('passed');
    case 'failed':
      return t('failed');
    case 'errored':
      return count === 1 ? t('had an error') : t('had errors');
    case 'skipped':
      return t('skipped');
  }
}

/** The phase for a progress text; before the first phase, the runtime is chosen. */
export function phaseWords(phase: Phase | 'runtime' | undefined, t: Translate): string {
  switch (phase) {
    case undefined:
    case 'runtime':
      return t('looking for a runtime');
    case 'resolve':
      return t('looking for the image');
    case 'build':
      return t('building the image');
    case 'create':
      return t('creating the container');
    case 'upload':
      return t('uploading the solution');
    case 'oracle':
      return t("running the gold's solve.sh");
    case 'verify':
      return t('running test.sh');
    case 'collect':
      return t('collecting results');
    case 'remove':
      return t('removing the container');
  }
}
