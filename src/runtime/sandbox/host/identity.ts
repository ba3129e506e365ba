/** The user of a run on the host: the user who started us or, for root, a uid of its own. */
import { readdir, readFile } from 'node:fs/promises';

export interface HostIdentity {
  readonly uid: number;
  readonly gid: number;
  /** True when the run has a uid of its own, which nobody else on this host uses. */
  readonly dropped: boolean;
}

/** Far above what distributions, `/etc/subuid` and directory services hand out by default. */
const HIGH_IDS = { first: 0x7000_0000, count: 1 << 20 };
/** systemd's range for dynamic users, for containers that map only 16 bits of uids (`systemd.exec(5)`). */
const DYNAMIC_USER_IDS = { first: 61_184, count: 4_336 };

/**
 * An identity for one run. RLIMIT_NPROC does not bind root and counts per uid, so root's runs each get a
 * fresh one: a fork bomb then ends with its run, and the run owns nothing outside its own folder.
 * Undefined when root may use no free uid here.
 */
export async function chooseIdentity(inUse: ReadonlySet<number>): Promise<HostIdentity | undefined> {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (own.uid !== 0) return { ...own, dropped: false };
  const mapped = mappedRanges(await readFile('/proc/self/uid_map', 'utf8').catch(() => ''));
  const mappedGroups = mappedRanges(await readFile('/proc/self/gid_map', 'utf8').catch(() => ''));
  for (const { first, count } of [HIGH_IDS, DYNAMIC_USER_IDS]) {
    // Among a million ids a collision is unlikely; among a few thousand it must be checked.
    const taken = first === HIGH_IDS.first ? new Set<number>() : await uidsOfProcesses();
    for (let attempt = 0; attempt < 16; attempt++) {
      const uid = first + Math.floor(Math.random() * count);
      if (inUse.has(uid) || taken.has(uid)) continue;
      if (isMapped(uid, mapped) && isMapped(uid, mappedGroups)) return { uid, gid: uid, dropped: true };
    }
  }
  return undefined;
}

/** How many processes and threads already count against this uid. */
export async function countProcesses(uid: number): Promise<number> {
  let count = 0;
  await forEachStatus((status) => {
    if (realUid(status) === uid) count += Number(/^Threads:\s*(\d+)/m.exec(status)?.[1] ?? 1);
  });
  return count;
}

/** The hard limit for open files of this process. */
export async function openFilesLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1];
  return hard === undefined || hard === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(hard);
}

interface IdRange {
  readonly first: number;
  readonly count: number;
}

/** Parses `/proc/self/uid_map`: inside, outside, count (user_namespaces(7)). */
export function mappedRanges(text: string): IdRange[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([first, , count]) => (first === undefined || count === undefined ? [] : [{ first, count }]));
}

function isMapped(id: number, ranges: readonly IdRange[]): boolean {
  return ranges.some(({ first, count }) => id >= first && id < first + count);
}

async function uidsOfProcesses(): Promise<ReadonlySet<number>> {
  const uids = new Set<number>();
  await forEachStatus((status) => uids.add(realUid(status)));
  return uids;
}

async function forEachStatus(visit: (status: string) => void): Promise<void> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    pids.map(async (pid) => {
      // A process that has just ended counts for nothing.
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
      if (status !== undefined) visit(status);
    }),
  );
}

function realUid(status: string): number {
  return Number(/^Uid:\s*(\d+)/m.exec(status)?.[1] ?? -1);
}
