/** What stays of a verdict's problems once the solution has changed: never an entry on a line that moved. */
import type { ContainerPath } from '../task/containerPath.ts';
import type { Problem } from './problems.ts';
import type { Translate } from './translate.ts';

/** Lines of the solution by file; undefined for a file that is gone. */
export type LinesOf = (file: ContainerPath) => readonly string[] | undefined;

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
    if (problem.placed && !sameLine(problem, then, now)) return [];
    if (now(problem.file) === undefined) return [];
    return [{ ...problem, severity: 'information' as const, message: t('Outdated: {0}', problem.message) }];
  });
}

/** A line stays where it was when it and all before it add up to the same number and it reads the same. */
function sameLine(problem: Problem, then: LinesOf, now: LinesOf): boolean {
  const index = problem.line - 1;
  const before = then(problem.file)?.[index];
  return before !== undefined && now(problem.file)?.[index] === before;
}
