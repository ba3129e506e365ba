/** What a check of a gold fix came to, as lines for a terminal. Pure. */
import { type GoldCheck, holds } from '../../gold/checkGoldFix.ts';
import type { GoldFix } from '../../gold/goldFix.ts';
import type { RewardlessVerdict, Verdict } from '../../verifier/verdict/verdict.ts';
import { oracleFailure, rewardText } from '../../verifier/verdict/verdictFacts.ts';
import { joined } from '../../wording/joinWords.ts';
import { here } from '../find/here.ts';
import type { Look } from '../terminal/look.ts';
import { marked } from '../terminal/marks.ts';
import { remedyWords } from '../failures/remedyWords.ts';
import { hang, oneLine } from '../terminal/textLayout.ts';

export function renderGoldCheck(
  goldFix: Pick<GoldFix, 'folder' | 'record'>,
  check: GoldCheck,
  look: Look,
): string[] {
  return [
    ...headline(goldFix, check, look),
    ...check.findings.flatMap(({ file, line, message }) => [
      `  ${oneLine(file)}${line === undefined ? '' : `:${line}`}`,
      ...hang('    ', oneLine(message), look.width),
    ]),
    ...check.notes.flatMap((note) => hang('  ', oneLine(note), look.width)),
  ];
}

/** That it does not hold is said only of a gold fix that was edited, or that got a lower reward. */
function headline(
  { record, folder }: Pick<GoldFix, 'folder' | 'record'>,
  check: GoldCheck,
  look: Look,
): string[] {
  const { passed, failed, attention } = look.symbols;
  const id = record.task.id;
  const { verdict } = check;
  const doesNotHold = (because: string): string[] =>
    marked({ mark: failed, colour: 'red' }, `The gold fix of ${id} does not hold: ${because}`, look);
  if (check.findings.length > 0)
    return doesNotHold(`${here(folder)} is not as it was saved, or is of another task. Nothing was run.`);
  if (verdict?.outcome !== 'scored')
    return marked(
      { mark: attention, colour: 'yellow' },
      `The gold fix of ${id} could not be checked: ${whyUnchecked(verdict)}`,
      look,
    );
  if (!holds(check)) {
    return doesNotHold(joined([`the reward is ${rewardText(verdict.reward)}.`, oracleFailure(verdict)], ' '));
  }
  const words = `The gold fix of ${id} holds: nothing was edited, and the reward is ${rewardText(verdict.reward)} again.`;
  return marked({ mark: passed, colour: 'green' }, words, look);
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
