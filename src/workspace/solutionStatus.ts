/** Compares a solution with its starter and its last verdict, and plans its replacement. Pure. */
import type { ContainerPath } from '../task/containerPath.ts';
import type { Task } from '../task/task.ts';
import { changesBetween, isUnchanged, solutionHash, type SolutionState } from '../verifier/plan/solution.ts';
import type { SavedRun } from './runs/runs.ts';

export interface SolutionStatus {
  readonly edit: 'unchanged' | 'changed';
  /** `current`: the last verdict holds for exactly this solution. `outdated`: it was edited since. */
  readonly verdict: 'none' | 'current' | 'outdated';
}

export function solutionStatus(
  task: Task,
  solution: SolutionState,
  lastRun: Pick<SavedRun, 'record'> | undefined,
): SolutionStatus {
  return {
    edit: isUnchanged(task, solution) ? 'unchanged' : 'changed',
    verdict: verdictStatus(task, solution, lastRun),
  };
}

function verdictStatus(
  task: Task,
  solution: SolutionState,
  lastRun: Pick<SavedRun, 'record'> | undefined,
): SolutionStatus['verdict'] {
  if (lastRun === undefined) return 'none';
  const { holdsFor } = lastRun.record.verdict;
  return holdsFor.task === task.hash && holdsFor.solution === solutionHash(solution) ? 'current' : 'outdated';
}

/** What to do with files under `work/`, by container path ({@link hostPathOf} says where they lie). */
export interface ReplacePlan {
  readonly write: readonly { readonly path: ContainerPath; readonly bytes: Uint8Array }[];
  readonly delete: readonly ContainerPath[];
}

/** The edits that make `now` the same as `target`, byte for byte; files that are the same are left alone. */
export function planReplacement(target: SolutionState, now: SolutionState): ReplacePlan {
  const changes = changesBetween(now, target);
  return {
    write: [...target.files].flatMap(([path, bytes]) =>
      changes.get(path) === 'unchanged' ? [] : [{ path, bytes }],
    ),
    delete: [...now.files.keys()].filter((path) => changes.get(path) === 'deleted'),
  };
}
