/** What is brought back of one run, held to the limits of its plan. */
import type { CollectedFile, Evidence } from './evidence.ts';
import type { RunPlan } from './plan.ts';

export interface Collection {
  readonly files: CollectedFile[];
  /** True when there was more than may be brought back. */
  readonly cut: boolean;
  readonly notes: Evidence['notes'];
}

const MOST_NOTES = 10;

/** Adds up files until a limit is reached. */
export class CollectionBudget {
  readonly files: CollectedFile[] = [];
  readonly notes: Evidence['notes'] = [];
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
   * How many bytes of a file may be kept; they count from now on.
   * @param isNamed whether the plan names the file itself: then only the limit for one file holds.
   */
  take(size: number, isNamed: boolean): number {
    const room = Math.min(this.#limits.collectedFileBytes, isNamed ? Infinity : this.#bytesLeft);
    if (room < Math.min(size, this.#limits.collectedFileBytes)) this.cut = true;
    const kept = Math.min(room, size);
    this.#bytesLeft = Math.max(0, this.#bytesLeft - kept);
    return kept;
  }

  /** Notes beyond the first few say nothing new. */
  note(code: string, message: string): void {
    if (this.notes.length < MOST_NOTES) this.notes.push({ code, message });
  }
}

/** Paths that lie inside another one of the same list. */
export function nestedPaths(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.filter((path) => paths.some((other) => path.startsWith(`${other}/`))));
}
