/** Limits a run to the processors that its plan allows, with taskset(1) of util-linux. Costs one exec. */
import { readFile } from 'node:fs/promises';
import { fewerCpusWarning, notEnforcedWarning, type RuntimeWarning } from '../../runtimeWarnings.ts';

export interface Affinity {
  /** What to put before the command; empty when every processor may be used. */
  readonly prefix: readonly string[];
  readonly warning: RuntimeWarning | undefined;
}

let turn = 0;

/** The processors of one run. Runs take turns, so that two at the same time do not share one without need. */
export async function chooseAffinity(
  taskset: string | undefined,
  runtime: string,
  cpus: number,
): Promise<Affinity> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '';
  const affinity = affinityFor(cpus, parseCpuList(list), taskset, runtime, turn);
  turn += Math.ceil(cpus);
  return affinity;
}

/** Pure. @param first which of the allowed processors to begin with, counted around. */
export function affinityFor(
  cpus: number,
  allowed: readonly number[],
  taskset: string | undefined,
  runtime: string,
  first: number,
): Affinity {
  const wanted = Math.ceil(cpus);
  // A share of a processor takes a cgroup; the next whole number is as near as it gets.
  const isWhole = wanted === cpus;
  if (allowed.length === 0 || (taskset === undefined && wanted < allowed.length)) {
    return { prefix: [], warning: notEnforcedWarning(runtime, 'cpus') };
  }
  if (cpus > allowed.length) {
    return { prefix: [], warning: fewerCpusWarning(cpus, 'this machine', allowed.length) };
  }
  const note = isWhole ? undefined : notEnforcedWarning(runtime, `cpus to ${cpus} instead of ${wanted}`);
  if (wanted === allowed.length || taskset === undefined) return { prefix: [], warning: note };
  const chosen = Array.from({ length: wanted }, (_, index) => allowed[(first + index) % allowed.length]);
  return { prefix: [taskset, '-c', chosen.join(',')], warning: note };
}

/** Such as `0-3,8`: cpuset(7), List format. */
export function parseCpuList(text: string): number[] {
  return text.split(',').flatMap((range) => {
    const [from = '', to = from] = range.split('-');
    if (!/^\d+$/.test(from) || !/^\d+$/.test(to)) return [];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
  });
}
