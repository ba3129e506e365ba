/** The status item's text, tooltip and spoken label. Pure. */
import { didRun, passedGates } from '../../verifier/verdict/verdictFacts.ts';
import { plainLabel } from '../platform/text/plainText.ts';
import { shortId } from '../task/taskName.ts';
import { isStarterAgain, liveStateOf, type TaskState } from '../task/taskState.ts';
import { joined } from '../../wording/joinWords.ts';
import type { Translate } from '../../wording/translate.ts';
import { gateStateWord, outcomeWords, phaseWords } from '../../verifier/verdict/words.ts';

export interface StatusText {
  readonly text: string;
  readonly tooltip: readonly string[];
  /** For screen readers: the text without icons. */
  readonly spoken: string;
  /** Words and icon tell of a failure; the background only adds to them. */
  readonly tone: 'plain' | 'warning' | 'error';
}

export function statusText(state: TaskState, t: Translate): StatusText {
  const { words, icon, tone } = parts(state, t);
  const line = joined([shortId(state.taskId), ...words]);
  return { text: `$(${icon}) ${plainLabel(line)}`, spoken: line, tooltip: tooltipLines(state, t), tone };
}

type Parts = { words: string[]; icon: string; tone: StatusText['tone'] };

function parts(state: TaskState, t: Translate): Parts {
  switch (liveStateOf(state)) {
    case 'waiting':
      return { words: [t('waiting')], icon: 'clock', tone: 'plain' };
    case 'cancelling':
      return { words: [t('cancelling')], icon: 'loading~spin', tone: 'plain' };
    case 'running': {
      const phase = state.activity.kind === 'running' ? state.activity.phase : undefined;
      return { words: [phaseWords(phase, t)], icon: 'loading~spin', tone: 'plain' };
    }
    case 'unreadable':
      return { words: [t('solution cannot be read')], icon: 'warning', tone: 'warning' };
    case 'unchanged':
      return { words: [t('unchanged')], icon: 'beaker', tone: 'plain' };
    case 'changed':
      return { words: [t('not verified')], icon: 'beaker', tone: 'plain' };
    case 'outdated':
      return { words: [...verdictWords(state, t), t('outdated')], icon: 'history', tone: 'plain' };
    case 'verified':
      return {
        words: verdictWords(state, t),
        icon: 'beaker',
        tone: state.run?.verdict.outcome === 'scored' ? 'plain' : 'warning',
      };
  }
}

/** The verdict in a few words: `reward 0`, `3/5 gates`. */
export function verdictWords(state: TaskState, t: Translate): string[] {
  const verdict = state.run?.verdict;
  if (!verdict) return [];
  const first = outcomeWords(verdict, t);
  if (!didRun(verdict) || verdict.gates.length === 0) return [first];
  const { passed, total } = passedGates(verdict);
  return [first, t('{0}/{1} gates', passed, total)];
}

function tooltipLines(state: TaskState, t: Translate): readonly string[] {
  const verdict = state.run?.verdict;
  const gates =
    verdict && didRun(verdict) && !isStarterAgain(state)
      ? verdict.gates.map((gate) => `${gateStateWord(gate.state, t)}: ${gate.title}`)
      : [];
  const outdated = isStarterAgain(state)
    ? [starterWords(state, t)]
    : state.run?.outdated
      ? [t('The solution has changed since this run.')]
      : [];
  const act =
    state.activity.kind === 'idle'
      ? t('Click to verify.')
      : t('A run is under way; click to start it again.');
  return [state.taskId, ...outdated, ...gates, act];
}

/** What is certain about an unchanged solution without a run. */
export function starterWords({ refusesStarter }: TaskState, t: Translate): string {
  return refusesStarter
    ? t('Unchanged from the starter, which this verifier refuses.')
    : t("Unchanged from the starter: the verifier would give the starter's result.");
}
