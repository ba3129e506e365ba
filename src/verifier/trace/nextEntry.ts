/** Finds the trace entry that ran after a leaf, in the same shell. */
import type { Frame, PlacedLeaf } from '../script/contexts.ts';
import { startsWith } from './matchTrace.ts';
import { leavesOf, type Statement } from '../script/script.ts';
import type { TraceEntry } from './trace.ts';

/** Steps over entries in all; without a limit, a forged trace could take quadratic time. */
const MOST_STEPS = 4_000_000;
const MOST_DEPTH = 1000;

export class NextEntryFinder {
  readonly #entries: readonly TraceEntry[];
  readonly #placedAt: ReadonlyMap<number, PlacedLeaf>;
  /** For each entry the index of the next one that is not deeper. */
  readonly #shallower: Int32Array;
  readonly #knownLeafIds = new Map<Statement, ReadonlySet<number>>();
  #steps = 0;

  constructor(entries: readonly TraceEntry[], placedAt: ReadonlyMap<number, PlacedLeaf>) {
    this.#entries = entries;
    this.#placedAt = placedAt;
    this.#shallower = new Int32Array(entries.length);
    const nextAtDepth: number[] = [];
    for (let at = entries.length - 1; at >= 0; at -= 1) {
      const depth = Math.min(entries[at]?.depth ?? 1, MOST_DEPTH);
      this.#shallower[at] = nextAtDepth[depth] ?? nextAtDepth.at(-1) ?? entries.length;
      while (nextAtDepth.length <= depth) nextAtDepth.push(nextAtDepth.at(-1) ?? entries.length);
      nextAtDepth.length = depth + 1;
      nextAtDepth[depth] = at;
    }
  }

  /**
   * Index of the next entry at this shell's level. Skips other members of the same pipeline, jobs in the background
   * and, after a call of a function, its body (which may source other files). Undefined when nothing else ran.
   */
  after(placed: PlacedLeaf, at: number): number | undefined {
    const called = this.#calledFunction(placed, at);
    const siblings = placed.frames.flatMap((frame) => (frame.kind === 'member' ? frame.members : []));
    const inBackground = isInBackground(placed.frames);
    let index = this.#shallower[at] ?? this.#entries.length;
    while (index < this.#entries.length) {
      const entry = this.#entries[index];
      this.#steps += 1;
      if (!entry || this.#steps > MOST_STEPS) return entry ? index : undefined;
      const shown = this.#placedAt.get(index);
      const skipped =
        this.#isOtherMember(siblings, placed, entry, shown) ||
        (!inBackground && shown !== undefined && isInBackground(shown.frames)) ||
        (called && (!shown || shown.inFunction !== placed.inFunction));
      if (!skipped) return index;
      index = this.#shallower[index] ?? this.#entries.length;
    }
    return undefined;
  }

  #calledFunction({ leaf }: PlacedLeaf, at: number): boolean {
    const name = leaf.kind === 'command' ? leaf.words[0]?.text : undefined;
    return name !== undefined && this.#placedAt.get(at + 1)?.inFunction === name;
  }

  /** Whether an entry belongs to another member of the pipeline; the same leaf again is the next turn of a loop. */
  #isOtherMember(
    siblings: readonly Statement[],
    placed: PlacedLeaf,
    entry: TraceEntry,
    shown: PlacedLeaf | undefined,
  ): boolean {
    if (siblings.length === 0 || shown?.leaf.id === placed.leaf.id) return false;
    return shown
      ? siblings.some((sibling) => this.#leafIds(sibling).has(shown.leaf.id))
      : siblings.some((sibling) => startsWith([sibling], entry, undefined));
  }

  #leafIds(statement: Statement): ReadonlySet<number> {
    const known = this.#knownLeafIds.get(statement);
    if (known) return known;
    const ids = new Set(leavesOf([statement]).map(({ id }) => id));
    this.#knownLeafIds.set(statement, ids);
    return ids;
  }
}

function isInBackground(frames: readonly Frame[]): boolean {
  return frames.some((frame) => frame.kind === 'background');
}
