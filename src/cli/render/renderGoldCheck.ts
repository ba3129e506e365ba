/** Renders the check of a gold fix for a terminal. Pure. */
import { type GoldCheck, goldFixHolds } from '../../gold/checkGoldFix.ts';
import type { GoldFix } from '../../gold/goldFix.ts';
import type { RewardlessVerdict, Verdict } from '../../verifier/verdict/verdict.ts';
import { oracleFailure, rewardText } from '../../verifier/verdict/verdictFacts.ts';
import { joined } from '../../wording/joinWords.ts';
import { here } from '../find/here.ts';
import type { TerminalStyle } from '../terminal/terminalStyle.ts';
import { marked } from '../terminal/marks.ts';
import { remedyWords } from '../failures/remedyWords.ts';
import { hang, oneLine } from '../terminal/textLayout.ts';

export function renderGoldCheck(
  goldFix: Pick<GoldFix, 'folder' | 'record'>,
  check: GoldCheck,
  style: TerminalStyle,
): string[] {
  return [
    ...headline(goldFix, check, style),
    ...check.findings.flatMap(({ file, line, message }) => [
      `  ${oneLine(file)}${line === undefined ? '' : `:${line}`}`,
      ...hang('    ', oneLine(message), style.width),
    ]),
    ...check.notes.flatMap((note) => hang('  ', oneLine(note), style.width)),
  ];
}

/** Says "does not hold" only of a gold fix that was edited or got a lower reward. */
function headline(
  { record, folder }: Pick<GoldFix, 'folder' | 'record'>,
  check: GoldCheck,
  style: TerminalStyle,
): string[] {
  const { passed, failed, attention } = style.symbols;
  const id = record.task.id;
  const { verdict } = check;
  const doesNotHold = (because: string): string[] =>
    marked({ mark: failed, colour: 'red' }, `The gold fix of ${id} does not hold: ${because}`, style);
  if (check.findings.length > 0)
    return doesNotHold(
      `${here(folder)} was changed since it was saved, or belongs to another task. Nothing was run.`,
    );
  if (verdict?.outcome !== 'scored')
    return marked(
      { mark: attention, colour: 'yellow' },
      `The gold fix of ${id} could not be checked: ${whyUnchecked(verdict)}`,
      style,
    );
  if (!goldFixHolds(check)) {
    return doesNotHold(joined([`the reward is ${rewardText(verdict.reward)}.`, oracleFailure(verdict)], ' '));
  }
  const words = `The gold fix of ${id} holds: nothing was edited, and the reward is ${rewardText(verdict.reward)} again.`;
  return marked({ mark: passed, colour: 'green' }, words, style);
}

function whyUnchecked(verdict: Exclude<Verdict, { outcome: 'scored' }> | undefined): string {
  switch (verdict?.outcome) {
    case 'unscored':
      return `the verifier gave no reward. ${verdict.message} ${nextStep(verdict)}`;
    case 'no-verifier':
    case 'engine-error':
      return `${verdict.message} ${nextStep(verdict)}`;
    case 'cancelled':
    case undefined:
      return 'the check was cancelled.';
  }
}

function nextStep({ remedies }: RewardlessVerdict): string {
  return remedyWords(remedies, 'gold check');
}
