// From an engine's exit codes and words to how a step ended.
import type { StepEnd } from '../evidence.ts';
import { statusOf, wordsOf } from './failures.ts';

const SIGNAL_BASE = 128;
const CANNOT_RUN = [126, 127];

/** Linux numbers, whatever the host is: signal(7). */
const SIGNALS = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [5, 'SIGTRAP'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [10, 'SIGUSR1'],
  [11, 'SIGSEGV'],
  [12, 'SIGUSR2'],
  [13, 'SIGPIPE'],
  [14, 'SIGALRM'],
  [15, 'SIGTERM'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [31, 'SIGSYS'],
]);

/** What the engine says when a program, user or directory of the container is at fault, and not the engine. */
const START_REFUSALS =
  /executable file not found|no such file or directory|unable to find (user|group)|no matching entries in (passwd|group)|exec format error|permission denied|chdir to cwd|not a directory|is a directory|working directory|too many levels of symbolic links|argument list too long|is not running/i;

/** What an init program, or the engine in an exec's own stream, prints when there is no such program. */
const PRINTED_REFUSAL = /^(\[FATAL tini|ERROR \(catatonit|OCI runtime exec failed|unable to find user)/;

/**
 * How a process ended. Engines and shells both report death by a signal as 128 + its number, so a script that exits
 * with such a code by itself cannot be told apart.
 */
export function endOf(code: number, outOfMemory: boolean, output: string): StepEnd {
  if (CANNOT_RUN.includes(code) && PRINTED_REFUSAL.test(output))
    return { how: 'cannot-start', message: output.trim() };
  const signal = SIGNALS.get(code - SIGNAL_BASE);
  if (signal === undefined) return { how: 'exited', code };
  return { how: 'killed', signal, outOfMemory: outOfMemory && signal === 'SIGKILL' };
}

/** Thrown where a step that cannot start ends a run early. */
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
  const words = wordsOf(error);
  return START_REFUSALS.test(words) ? { how: 'cannot-start', message: words } : undefined;
}
