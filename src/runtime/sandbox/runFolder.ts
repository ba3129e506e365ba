// The private folder of one run: made closed to others, named after its owner, removed whatever is in it.
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdtemp, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasCode } from './confinedRoot.ts';
import type { HostIdentity } from './identity.ts';
import { removeTree } from './removeTree.ts';

const PREFIX = 'repair-bench-sandbox';
const NAME = new RegExp(`^${PREFIX}-[0-9a-f]{8}-(\\d+)-(\\d+)-(\\d+)-`);
const OTHERS_MAY_ENTER = 0o001;
const PRIVATE = 0o700;

/** A process as it can be recognised later: pids are reused, and a container has pids of its own. */
export interface ProcessName {
  readonly pid: number;
  /** In clock ticks since boot. */
  readonly startTime: string;
  readonly pidNamespace: string;
}

/** Where run folders go: the wanted place when the run's user can get there, else the system's own. */
export async function chooseTemporaryFolder(
  wanted: string | undefined,
  identity: HostIdentity,
): Promise<string | undefined> {
  const candidates = wanted === undefined ? [os.tmpdir(), '/tmp', '/var/tmp'] : [wanted];
  for (const name of candidates) {
    const candidate = await realpath(name).catch(() => name);
    if (!identity.dropped || (await othersMayEnter(candidate))) return candidate;
  }
  return undefined;
}

/** Makes a folder that only the run's user (and root) can enter. */
export async function makeRunFolder(parent: string, owner: string, identity: HostIdentity): Promise<string> {
  const self = await nameProcess(process.pid);
  if (self === undefined) throw new Error('/proc does not show this process.');
  const id = createHash('sha256').update(owner).digest('hex').slice(0, 8);
  const name = `${PREFIX}-${id}-${self.pid}-${self.startTime}-${self.pidNamespace}-`;
  const folder = await mkdtemp(path.join(parent, name));
  await chmod(folder, PRIVATE);
  if (identity.dropped) await chown(folder, identity.uid, identity.gid);
  return folder;
}

/** Removes the folders whose processes are gone. Those of other users and other containers are left alone. */
export async function sweepRunFolders(parent: string): Promise<void> {
  const self = await nameProcess(process.pid);
  const own = process.getuid?.() ?? 0;
  const entries = await readdir(parent).catch(() => []);
  for (const entry of entries) {
    const [, pid, startTime, pidNamespace] = NAME.exec(entry) ?? [];
    if (pid === undefined || pidNamespace !== self?.pidNamespace) continue;
    const folder = path.join(parent, entry);
    const stats = await lstat(folder).catch(() => undefined);
    if (!stats?.isDirectory() || (own !== 0 && stats.uid !== own)) continue;
    const alive = await nameProcess(Number(pid));
    // A folder that another sweep removes at the same moment is gone either way.
    if (alive?.startTime !== startTime) await removeTree(folder).catch(() => undefined);
  }
}

/** Undefined when there is no such process. */
export async function nameProcess(pid: number): Promise<ProcessName | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
    return { pid, startTime: startTimeOf(stat), pidNamespace: /\d+/.exec(namespace)?.[0] ?? '0' };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

/** Field 22 of proc_pid_stat(5); the name before it is in parentheses and may hold anything. */
export function startTimeOf(stat: string): string {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

async function othersMayEnter(folder: string): Promise<boolean> {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const stats = await lstat(current).catch(() => undefined);
    if (!stats?.isDirectory() || (stats.mode & OTHERS_MAY_ENTER) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
