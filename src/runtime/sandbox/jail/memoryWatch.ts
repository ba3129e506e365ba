/** Keeps the total memory of a run's processes below its limit, as a container's cgroup does. */
import { readdir, readFile } from 'node:fs/promises';

export interface MemoryWatch {
  /** True once a process was stopped for using too much. */
  readonly exceeded: () => boolean;
  readonly stop: () => void;
}

interface ProcessMemory {
  readonly pid: number;
  /** Pages that only this process has, in KiB. */
  readonly own: number;
  /** Shared memory that it has mapped, in KiB. */
  readonly shared: number;
}

const INTERVAL_MS = 50;
const KIB_PER_MIB = 1024;
/** Below this share of the host's memory the run is stopped, if it is what fills it. */
const HOST_RESERVE = 0.05;

/**
 * Watches the process tree below `rootPid` and kills its largest process when the tree is above the limit,
 * which is what the kernel does to a container. Pages that processes share after a fork are counted once.
 * @param rootPid the run's first process, as the host counts.
 */
export function watchMemory(rootPid: number, memoryMb: number): MemoryWatch {
  let exceeded = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const limit = memoryMb * KIB_PER_MIB;
  const check = async (): Promise<void> => {
    const victim = await processToStop(rootPid, limit).catch(() => undefined);
    if (victim !== undefined && !stopped) exceeded = kill(victim) || exceeded;
    if (!stopped) timer = setTimeout(() => void check(), INTERVAL_MS);
  };
  timer = setTimeout(() => void check(), INTERVAL_MS);
  return {
    exceeded: () => exceeded,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function processToStop(rootPid: number, limitKib: number): Promise<number | undefined> {
  // The first process is our own shell: it goes only together with all others.
  const pids = (await descendants(rootPid)).slice(1);
  const memory = (await Promise.all(pids.map(readMemory))).filter((entry) => entry !== undefined);
  const largest = memory.toSorted((a, b) => b.own + b.shared - (a.own + a.shared))[0];
  if (largest === undefined) return undefined;
  const rough = memory.reduce((sum, { own }) => sum + own, Math.max(...memory.map(({ shared }) => shared)));
  if (rough > limitKib && (await proportional(pids)) > limitKib) return largest.pid;
  return rough > limitKib / 2 && (await hostIsFull()) ? largest.pid : undefined;
}

/** The process and all below it; whoever loses its parent is adopted by the first process. */
async function descendants(rootPid: number): Promise<number[]> {
  const found = [rootPid];
  for (const pid of found) {
    const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
    for (const task of tasks) {
      const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
      for (const child of children.split(' ')) if (child !== '') found.push(Number(child));
    }
  }
  return found;
}

async function readMemory(pid: number): Promise<ProcessMemory | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  if (status === undefined) return undefined;
  return { pid, own: kibOf(status, 'RssAnon'), shared: kibOf(status, 'RssShmem') };
}

/** Exact but slow: asked only when the rough sum, which counts a page once per process, is too high. */
async function proportional(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => undefined);
      if (rollup === undefined) return 0;
      return kibOf(rollup, 'Pss_Anon') + kibOf(rollup, 'Pss_Shmem');
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function hostIsFull(): Promise<boolean> {
  const meminfo = await readFile('/proc/meminfo', 'utf8');
  return kibOf(meminfo, 'MemAvailable') < HOST_RESERVE * kibOf(meminfo, 'MemTotal');
}

function kibOf(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It ended on its own.
    return false;
  }
}
