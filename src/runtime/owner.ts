/** Identifies the process that owns a container, so that a later process with the same number is another owner. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The id of this process, for labels. `suffix` distinguishes several owners in one process. */
export function ownerOfThisProcess(suffix: string): string {
  const { pid } = process;
  return [hostname(), pidNamespace(), pid, processStart(pid) ?? 0, suffix].join('/');
}

/**
 * Whether an owner's process still runs. Owners that cannot be seen from here count as alive: those on other hosts,
 * those in other containers (one that shares the host's network also has its name), and ids of another form.
 */
export function isOwnerAlive(owner: string): boolean {
  const [host, namespace, pid = '', start] = owner.split('/');
  if (host !== hostname() || namespace !== pidNamespace() || !/^\d+$/.test(pid)) return true;
  if (!isRunning(Number(pid))) return false;
  const current = processStart(Number(pid));
  return current === undefined || start === '0' || start === current;
}

/** Linux only: when a process started, in clock ticks since the machine did; no later one with its number has the same. Undefined when there is no such process, or no /proc. */
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

/** Linux only: the id of this process's pid namespace. */
export function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
