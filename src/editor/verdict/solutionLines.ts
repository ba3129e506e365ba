/** Compares the lines of a solution, then and now: a verdict's word on a line holds only while the line stays. Pure. */
import type { ContainerPath } from '../../task/containerPath.ts';
import type { TaskState } from '../task/taskState.ts';
import { linesOf } from '../platform/text/textEncoding.ts';

/** Lines of the solution by file; undefined for a file that is gone. */
export type LinesOf = (file: ContainerPath) => readonly string[] | undefined;

export function linesIn(files: ReadonlyMap<ContainerPath, Uint8Array>): LinesOf {
  const known = new Map<ContainerPath, readonly string[]>();
  return (file) => {
    const bytes = files.get(file);
    if (!bytes) return undefined;
    const lines = known.get(file) ?? linesOf(bytes);
    known.set(file, lines);
    return lines;
  };
}

/** Whether the line of this number is the same text then and now. */
export function sameLine(file: ContainerPath, line: number, then: LinesOf, now: LinesOf): boolean {
  const before = then(file)?.[line - 1];
  return before !== undefined && now(file)?.[line - 1] === before;
}

/** Whether the shown run's word on a line of the solution still is about that line. */
export function lineHolds(
  run: NonNullable<TaskState['run']>,
  now: ReadonlyMap<ContainerPath, Uint8Array>,
): (file: ContainerPath, line: number) => boolean {
  if (!run.outdated) return () => true;
  const { snapshot } = run;
  // Without the verified solution nobody knows which line was meant.
  if (!snapshot) return () => false;
  const [then, later] = [linesIn(snapshot), linesIn(now)];
  return (file, line) => sameLine(file, line, then, later);
}
