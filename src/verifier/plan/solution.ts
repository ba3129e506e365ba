/** A solution: the files of one task that a person edits, by container path. */
import { createHash } from 'node:crypto';
import type { ContainerPath } from '../../task/containerPath.ts';
import type { Task } from '../../task/task.ts';

export interface SolutionState {
  /** Every file, changed or not. */
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

/** How each file differs from the starter, in path order; unchanged files are included. */
export function changesOf(task: Task, solution: SolutionState): ReadonlyMap<ContainerPath, FileChange> {
  return changesBetween(starterOf(task), solution);
}

/** How each file differs between two solutions, in path order; unchanged files are included. */
export function changesBetween(
  before: SolutionState,
  after: SolutionState,
): ReadonlyMap<ContainerPath, FileChange> {
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].sort();
  return new Map(
    paths.map((path) => [path, changeBetween(before.files.get(path), after.files.get(path))] as const),
  );
}

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

/** The hashes of task and solution that a verdict holds for. */
export function verdictHashes(task: Pick<Task, 'hash'>, solution: SolutionState) {
  return { task: task.hash, solution: solutionHash(solution) };
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
