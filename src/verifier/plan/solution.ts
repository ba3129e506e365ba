/** A solution: the files of one task as a person left them, by container path. */
import { createHash } from 'node:crypto';
import type { ContainerPath } from '../../task/containerPath.ts';
import type { Task } from '../../task/task.ts';

export interface SolutionState {
  /** Every file there is, changed or not. */
  readonly files: ReadonlyMap<ContainerPath, Uint8Array>;
}

export type FileChange = 'unchanged' | 'changed' | 'added' | 'deleted';

/** The solution as the task ships it: all starters. */
export function starterOf(task: Task): SolutionState {
  return {
    files: new Map(
      task.family.solution.flatMap(({ path, starter }) => (starter ? [[path, starter] as const] : [])),
    ),
  };
}

/** What was done to each file of the starter and each new one, in path order. */
export function changesOf(task: Task, solution: SolutionState): ReadonlyMap<ContainerPath, FileChange> {
  return changesBetween(starterOf(task), solution);
}

/** What turns one solution into the other, in path order; also says which files are the same. */
export function changesBetween(
  before: SolutionState,
  after: SolutionState,
): ReadonlyMap<ContainerPath, FileChange> {
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].sort();
  return new Map(
    paths.map((path) => [path, changeBetween(before.files.get(path), after.files.get(path))] as const),
  );
}

/** Of a file that one of the two has, at least. */
function changeBetween(before: Uint8Array | undefined, after: Uint8Array | undefined): FileChange {
  if (after === undefined) return 'deleted';
  if (before === undefined) return 'added';
  return sameBytes(before, after) ? 'unchanged' : 'changed';
}

export function isUnchanged(task: Task, solution: SolutionState): boolean {
  return [...changesOf(task, solution).values()].every((change) => change === 'unchanged');
}

/** SHA-256 over sorted paths and bytes: 64 hex digits. A verdict holds for exactly one of these. */
export function solutionHash(solution: SolutionState): string {
  const hash = createHash('sha256');
  for (const path of [...solution.files.keys()].sort()) {
    const bytes = solution.files.get(path) ?? new Uint8Array();
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** What a verdict on `solution` holds for. */
export function heldFor(task: Pick<Task, 'hash'>, solution: SolutionState) {
  return { task: task.hash, solution: solutionHash(solution) };
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
