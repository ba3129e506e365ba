// Who owns a container: a process on a host, told apart from a later process with the same number.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** The id of this process, for labels. `suffix` tells apart several owners in one process. */
export function ownerOfThisProcess(suffix: string): string {
  return [hostname(), process.pid, startOf(process.pid) ?? 0, suffix].join('/');
}

/** Whether an owner's process still runs. Owners on other hosts, and ids of another form, count as alive. */
export function isOwnerAlive(owner: string): boolean {
  const [host, pid = '', start] = owner.split('/');
  if (host !== hostname() || !/^\d+$/.test(pid)) return true;
  if (!isRunning(Number(pid))) return false;
  const current = startOf(Number(pid));
  return current === undefined || start === '0' || start === current;
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

/** Linux only: when a process started, in clock ticks since the machine did; field 22 of proc(5)'s stat. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a program's name and may hold anything, also spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
