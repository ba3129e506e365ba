/** Lines of a solution, then and now: what a verdict says of a line holds only while the line stays. Pure. */
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

/** A line stays where it was when the line of that number reads the same. */
export function sameLine(file: ContainerPath, line: number, then: LinesOf, now: LinesOf): boolean {
  const before = then(file)?.[line - 1];
  return before !== undefined && now(file)?.[line - 1] === before;
}

/** Whether what the shown run says of a line of the solution still is about that line. */
export function lineHolds(
  run: NonNullable<TaskState['run']>,
  now: ReadonlyMap<ContainerPath, Uint8Array>,
): (file: ContainerPath, line: number) => boolean {
  if (!run.outdated) return () => true;
  const { snapshot } = run;
  // Which line was meant is known only where the solution was kept.
  if (!snapshot) return () => false;
  const [then, later] = [linesIn(snapshot), linesIn(now)];
  return (file, line) => sameLine(file, line, then, later);
}
