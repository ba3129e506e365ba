/** What the instruction panel says of the solution and its last run. Pure. */
import { outcomeState } from '../../verifier/verdict/verdictFacts.ts';
import type { PanelState } from '../../webview/messages.ts';
import { fullOutcome } from '../verdict/fullOutcome.ts';
import { withRemedies } from '../platform/remedyWords.ts';
import { liveStateOf, type TaskState } from '../task/taskState.ts';
import type { Translate } from '../../wording/translate.ts';
import { phaseWords } from '../../verifier/verdict/words.ts';

export function panelState(state: TaskState, t: Translate): PanelState {
  const live = liveStateOf(state);
  switch (live) {
    case 'waiting':
      return { tone: 'running', words: t('Waiting for another run…'), busy: true };
    case 'cancelling':
      return { tone: 'running', words: t('Cancelling…'), busy: true };
    case 'running': {
      const phase = state.activity.kind === 'running' ? state.activity.phase : undefined;
      return { tone: 'running', words: t('Verifying: {0}…', phaseWords(phase, t)), busy: true };
    }
    case 'unreadable':
      return {
        tone: 'warning',
        words: state.unreadable ? withRemedies(state.unreadable, t) : t('The solution cannot be read.'),
        busy: false,
      };
    case 'unchanged':
      return { tone: 'plain', words: t('Unchanged from the starter.'), busy: false };
    case 'changed':
      return { tone: 'plain', words: t('Changed, not verified yet.'), busy: false };
    case 'outdated':
      return { tone: 'plain', words: t('Changed since the last run. {0}', lastRun(state, t)), busy: false };
    case 'verified':
      return { tone: toneOf(state), words: lastRun(state, t), busy: false };
  }
}

function lastRun(state: TaskState, t: Translate): string {
  return state.run ? fullOutcome(state.run.verdict, t) : '';
}

function toneOf(state: TaskState): PanelState['tone'] {
  const outcome = state.run && outcomeState(state.run.verdict);
  return outcome === undefined || outcome === 'errored' ? 'warning' : outcome;
}
