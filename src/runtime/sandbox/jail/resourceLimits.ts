/** The rlimits of one step, as arguments for prlimit(1) of util-linux. Pure. */

export interface ResourceLimits {
  readonly memoryMb: number;
  readonly pids: number;
  readonly fileSizeMb: number;
  readonly cpus: number;
  /** The step's own time limit, in ms. */
  readonly timeoutMs: number;
}

/** What the host allows and already uses. */
export interface HostUsage {
  /** Processes and threads that count against the run's uid before it starts. */
  readonly processes: number;
  /** The hard limit for open files that the run inherits. */
  readonly openFiles: number;
}

const MIB = 1024 * 1024;
const OPEN_FILES = 65_536;
/** bwrap itself, its helper for the user namespace and our first process. */
const OWN_PROCESSES = 3;
/** What one process may reserve beyond the limit: reserving is free in a container, only using counts. In MiB. */
const RESERVE_MB = 2048;
const CPU_SLACK_SECONDS = 60;

/**
 * Arguments for prlimit. Two of these are nets below finer ones: memory is watched by the sum over all
 * processes and `--data` only stops a single process that outruns the watch;
 * time is kept by our clock and `--cpu` ends what would survive it.
 */
export function prlimitArguments(limits: ResourceLimits, host: HostUsage): string[] {
  const cpuSeconds = Math.ceil((limits.timeoutMs / 1000) * Math.max(1, limits.cpus)) + CPU_SLACK_SECONDS;
  const values: readonly (readonly [string, number])[] = [
    ['core', 0],
    ['nproc', host.processes + limits.pids + OWN_PROCESSES],
    ['nofile', Math.min(OPEN_FILES, host.openFiles)],
    ['fsize', Math.floor(limits.fileSizeMb * MIB)],
    ['data', Math.floor((limits.memoryMb + RESERVE_MB) * MIB)],
    ['cpu', cpuSeconds],
  ];
  return values.map(([name, value]) => `--${name}=${value}:${value}`);
}
