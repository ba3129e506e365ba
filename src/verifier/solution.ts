/** A solution: the files of one task as a person left them, by container path. */
import { createHash } from 'node:crypto';
import type { ContainerPath } from '../task/containerPath.ts';
import type { Task } from '../task/task.ts';

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

/** What was done to each file, in path order. */
export function changesOf(task: Task, solution: SolutionState): ReadonlyMap<ContainerPath, FileChange> {
  const starters = new Map(task.family.solution.map((file) => [file.path, file.starter]));
  const paths = [...new Set([...starters.keys(), ...solution.files.keys()])].sort();
  const changes = new Map<ContainerPath, FileChange>();
  for (const path of paths) {
    const starter = starters.get(path);
    const now = solution.files.get(path);
    if (now === undefined) {
      if (starter !== undefined) changes.set(path, 'deleted');
    } else if (starter === undefined) changes.set(path, 'added');
    else changes.set(path, sameBytes(starter, now) ? 'unchanged' : 'changed');
  }
  return changes;
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

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
