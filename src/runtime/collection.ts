/** The files that are collected from one run, within the limits of its plan. */
import type { CollectedFile, Evidence } from './evidence.ts';
import type { RunPlan } from './plan.ts';

export interface Collection {
  readonly files: CollectedFile[];
  /** True when some files or bytes were left out. */
  readonly cut: boolean;
  readonly warnings: Evidence['notes'];
}

const MOST_WARNINGS = 10;

/** Adds up files until a limit is reached. */
export class CollectionBudget {
  readonly files: CollectedFile[] = [];
  readonly warnings: Evidence['notes'] = [];
  cut = false;
  readonly #limits: RunPlan['limits'];
  #bytesLeft: number;

  constructor(limits: RunPlan['limits']) {
    this.#limits = limits;
    this.#bytesLeft = limits.collectedTotalBytes;
  }

  get isFull(): boolean {
    return this.files.length >= this.#limits.collectedFiles;
  }

  /**
   * Spends the budget for a file; returns how many of its bytes may be kept.
   * @param isNamed whether the plan names the file itself: then only the limit for one file applies.
   */
  spend(size: number, isNamed: boolean): number {
    const room = Math.min(this.#limits.collectedFileBytes, isNamed ? Infinity : this.#bytesLeft);
    if (room < Math.min(size, this.#limits.collectedFileBytes)) this.cut = true;
    const kept = Math.min(room, size);
    this.#bytesLeft = Math.max(0, this.#bytesLeft - kept);
    return kept;
  }

  /** Adds a warning; more than a few say nothing new. */
  addWarning(code: string, message: string): void {
    if (this.warnings.length < MOST_WARNINGS) this.warnings.push({ code, message });
  }
}

/** The paths that lie inside another path of the list. */
export function nestedPaths(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.filter((path) => paths.some((other) => path.startsWith(`${other}/`))));
}
