/** What stays of a verdict's problems once the solution has changed: never an entry on a line that moved. */
import type { Problem } from './problems.ts';
import { type LinesOf, sameLine } from './solutionLines.ts';
import type { Translate } from '../../wording/translate.ts';

/**
 * The entries that may still be shown, as information and marked outdated. `then` is the solution that the verdict
 * holds for; where it is not known, only entries about the whole solution stay.
 */
export function outdatedProblems(
  problems: readonly Problem[],
  then: LinesOf,
  now: LinesOf,
  t: Translate,
): readonly Problem[] {
  return problems.flatMap((problem) => {
    if (problem.placed && !sameLine(problem.file, problem.line, then, now)) return [];
    if (now(problem.file) === undefined) return [];
    return [{ ...problem, severity: 'information' as const, message: t('Outdated: {0}', problem.message) }];
  });
}
