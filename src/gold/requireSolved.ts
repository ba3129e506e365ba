/** Why a verdict does not make a gold fix, in the verifier's own words where it had some. Pure. */
import { shortenedLine } from '../wording/shortened.ts';
import type { RanVerdict, ScoredVerdict, Verdict } from '../verifier/verdict/verdict.ts';
import { oracleFailure, rewardText } from '../verifier/verdict/verdictFacts.ts';
import { GoldError } from './goldError.ts';

const MOST_SAID = 200;

/** The verdict, when its reward is 1 or more and `solve.sh` did its work. @throws GoldError */
export function requireSolved(
  task: string,
  verdict: Exclude<Verdict, { outcome: 'cancelled' }>,
): ScoredVerdict {
  switch (verdict.outcome) {
    case 'engine-error':
      throw new GoldError(
        'engine-error',
        `${task} could not be verified. ${verdict.message}`,
        verdict.remedies,
      );
    case 'no-verifier':
      throw new GoldError('unscored', verdict.message, verdict.remedies);
    case 'unscored':
      throw new GoldError(
        'unscored',
        `The verifier of ${task} gave no reward. ${verdict.message}`,
        verdict.remedies,
      );
    case 'scored': {
      const failure = oracleFailure(verdict);
      if (failure !== undefined)
        throw new GoldError(
          'not-solved',
          `solve.sh did not put the solution of ${task} in place. ${failure}`,
          'Check that the user of task.toml may write the files of the solution.',
        );
      if (verdict.reward >= 1) return verdict;
      throw new GoldError(
        'not-solved',
        `The verifier of ${task} gave reward ${rewardText(verdict.reward)}, and a gold fix needs 1.${said(verdict)}`,
        'Verify the solution to see its gates, and fix what fails.',
      );
    }
  }
}

function said({ cases, output }: RanVerdict): string {
  const failed = cases.find(({ state }) => state === 'failed' || state === 'errored');
  if (failed) return ` It said: ${failed.name}: ${short(failed.message ?? failed.state)}`;
  const lines = output.text.split('\n').filter((line) => /\w/.test(line) && !RULE.test(line));
  const line = lines.findLast((each) => REASON.test(each)) ?? lines.at(-1);
  return line === undefined ? '' : ` It said: ${short(line)}`;
}

/** Lines that draw a rule, and those that say why something failed, as pytest and Python print them. */
const RULE = /^[=_-]{3,}.*[=_-]{3,}$/;
const REASON = /^(E {2,}|FAILED |ERROR )|^\w*(Error|Exception)\b/;

function short(text: string): string {
  return shortenedLine(text, MOST_SAID);
}
