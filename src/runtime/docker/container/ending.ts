/** Turns an engine's exit codes and messages into the end of a step. */
import type { StepEnd } from '../../evidence.ts';
import { stepEndOf } from '../../exitStatus.ts';
import { statusOf, errorText } from '../engine/failures.ts';

const CANNOT_RUN = [126, 127];

/** Messages of the engine that blame a program, user or directory of the container. */
const START_REFUSALS =
  /executable file not found|no such file or directory|unable to find (user|group)|no matching entries in (passwd|group)|exec format error|permission denied|chdir to cwd|not a directory|is a directory|working directory|too many levels of symbolic links|argument list too long|is not running/i;

/** What an init program, or the engine in an exec's own stream, prints when there is no such program. */
const PRINTED_REFUSAL = /^(\[FATAL tini|OCI runtime exec failed|unable to find user)/;
/** Podman's init program says nothing but this, and leaves with 1. */
const CATATONIT_REFUSAL = /^ERROR \(catatonit:\d+\): failed to exec pid1: .*\n$/;

/**
 * How a process ended or why it could not start.
 * @param program the program, for a message that does not name it.
 */
export function processEnd(code: number, outOfMemory: boolean, output: string, program = ''): StepEnd {
  if (CANNOT_RUN.includes(code) && PRINTED_REFUSAL.test(output))
    return { how: 'cannot-start', message: output.trim() };
  if (code === 1 && CATATONIT_REFUSAL.test(output))
    return { how: 'cannot-start', message: `${program}: ${output.trim()}` };
  return stepEndOf(code, outOfMemory);
}

/** Thrown when a step cannot start, which ends the run. */
export class CannotStart extends Error {
  readonly end: StepEnd;

  constructor(end: StepEnd) {
    super('cannot start');
    this.name = 'CannotStart';
    this.end = end;
  }
}

/** A refused start that the task is to blame for; undefined when the engine itself failed. */
export function refusedStart(error: unknown): StepEnd | undefined {
  if (statusOf(error) === undefined) return undefined;
  const words = errorText(error);
  return START_REFUSALS.test(words) ? { how: 'cannot-start', message: words } : undefined;
}
