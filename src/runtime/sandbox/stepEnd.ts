// From the exit code of a sandboxed command to how its step ended. Pure.
import os from 'node:os';
import type { StepEnd } from '../evidence.ts';

const SIGNAL_BASE = 128;

const signalNames = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name]));

/**
 * Shells report death by a signal as 128 + its number, and that is all that comes out of the pid namespace:
 * a script that exits with such a code by itself cannot be told apart.
 */
export function stepEndOf(code: number, outOfMemory: boolean): StepEnd {
  const signal = code > SIGNAL_BASE ? signalNames.get(code - SIGNAL_BASE) : undefined;
  if (signal === undefined) return { how: 'exited', code };
  return { how: 'killed', signal, outOfMemory: outOfMemory && signal === 'SIGKILL' };
}
