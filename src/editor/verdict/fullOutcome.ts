/** The outcome of a run in one line, and what a person can do about it. */
import type { Verdict } from '../../verifier/verdict/verdict.ts';
import { outcomeSentence } from '../../verifier/verdict/words.ts';
import type { Translate } from '../../wording/translate.ts';
import { withRemedies } from '../platform/remedyWords.ts';

export function fullOutcome(verdict: Verdict, t: Translate): string {
  const remedies = 'remedies' in verdict ? verdict.remedies : [];
  return withRemedies({ message: outcomeSentence(verdict, t), remedies }, t);
}
