/** A verdict in words. The first line of each says which of the three it is: a reward, no reward, or no run. */
import type { Phase } from '../runtime/runtime.ts';
import type { Gate, GateState, RanVerdict, TestCase, Verdict } from '../verifier/verdict.ts';
import { passedGates, rewardText } from '../verifier/verdictFacts.ts';
import type { Translate } from './translate.ts';

export function decisiveGate(verdict: RanVerdict): Gate | undefined {
  return verdict.gates.find((gate) => gate.decisive);
}

/** Short enough for a label: `Reward 0`, `No reward`, `Could not run`. */
export function outcomeLabel(verdict: Verdict, t: Translate): string {
  switch (verdict.outcome) {
    case 'scored':
      return t('Reward {0}', rewardText(verdict.reward));
    case 'unscored':
      return t('No reward');
    case 'engine-error':
      return t('Could not run');
    case 'cancelled':
      return t('Cancelled');
  }
}

/** One line that names the kind first and then says why. */
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
      return t('No reward, the verifier is at fault: {0} {1}', verdict.message, verdict.nextStep);
    case 'engine-error':
      return t(
        'The verifier could not be run, the engine is at fault: {0} {1}',
        verdict.message,
        verdict.nextStep,
      );
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

export function caseStateWord(state: TestCase['state'], t: Translate): string {
  switch (state) {
    case 'passed':
      return t('passed');
    case 'failed':
      return t('failed');
    case 'errored':
      return t('had an error');
    case 'skipped':
      return t('skipped');
  }
}

/** What a runtime is doing, for a spinner's text. */
export function phaseWords(phase: Phase | undefined, t: Translate): string {
  switch (phase) {
    case undefined:
    case 'resolve':
      return t('preparing');
    case 'build':
      return t('building the image');
    case 'create':
      return t('creating the container');
    case 'upload':
      return t('uploading the solution');
    case 'oracle':
      return t("running the task's gold");
    case 'verify':
      return t('running test.sh');
    case 'collect':
      return t('collecting results');
    case 'remove':
      return t('removing the container');
  }
}

/** Milliseconds as a person reads them: `340 ms`, `1.2 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
