/** Turns the exit status of a command in a container into the end of its step. Pure. */
import type { StepEnd } from './evidence.ts';

const SIGNAL_BASE = 128;

/** The signals that end a process, by their Linux numbers, whatever this host is: signal(7). */
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

/**
 * Engines, shells and bubblewrap all report death by a signal as 128 + its number: a script that exits with such a
 * code by itself cannot be told apart.
 */
export function stepEndOf(code: number, outOfMemory: boolean): StepEnd {
  const signal = SIGNALS.get(code - SIGNAL_BASE);
  if (signal === undefined) return { how: 'exited', code };
  return { how: 'killed', signal, outOfMemory: outOfMemory && signal === 'SIGKILL' };
}
