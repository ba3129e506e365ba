// When a process started: what tells it apart from a later one with the same number.
import { readFileSync } from 'node:fs';

/** Linux only: in clock ticks since the machine did. Undefined when there is no such process, or no /proc. */
export function processStart(pid: number): string | undefined {
  try {
    return startTimeOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Field 22 of proc_pid_stat(5); the program's name before it is in parentheses and may hold anything. */
export function startTimeOf(stat: string): string | undefined {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
