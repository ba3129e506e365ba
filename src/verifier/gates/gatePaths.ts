/** The container paths by which gates are recognised, as the task's family names them. */
import type { ContainerPath } from '../../task/containerPath.ts';
import type { Task } from '../../task/task.ts';

export interface GatePaths {
  /** The files that a person edits. */
  readonly solution: readonly ContainerPath[];
  /** Copies of the starter, or files that hold its hash. */
  readonly baseline: readonly ContainerPath[];
  readonly gold: readonly ContainerPath[];
}

export function gatePathsOf({ family }: Pick<Task, 'family'>): GatePaths {
  return {
    solution: family.solution.map(({ path }) => path),
    baseline: [...family.baselinePaths, ...family.hashPaths],
    gold: family.goldPaths,
  };
}

export type PathRole = 'solution' | 'baseline' | 'gold';

/** Whether `word` names one of these paths, directly or as `./name` or a bare name in the solution's folder. */
export function roleOf(word: string, paths: GatePaths): PathRole | undefined {
  if (matches(word, paths.gold)) return 'gold';
  if (matches(word, paths.baseline)) return 'baseline';
  if (matches(word, paths.solution)) return 'solution';
  return undefined;
}

function matches(word: string, candidates: readonly string[]): boolean {
  if (word === '') return false;
  const plain = word.replace(/\/+/g, '/').replace(/^\.\//, '');
  return candidates.some((path) => path === plain || (!plain.startsWith('/') && path.endsWith(`/${plain}`)));
}

/** Whether a path is one that Harbor reads the reward from. */
export function isRewardPath(path: string): boolean {
  return /(^|\/)rewards?\.(txt|json)$/.test(path);
}
