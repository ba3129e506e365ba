/** What ran after a leaf: the next entry of the same shell that is not beside it and not inside it. */
import type { Frame, PlacedLeaf } from '../script/contexts.ts';
import { startsWith } from './matchTrace.ts';
import { leavesOf, type Statement } from '../script/script.ts';
import type { TraceEntry } from './trace.ts';

/** Steps over entries that are allowed in all: a forged trace could otherwise ask for a square of its length. */
const MOST_STEPS = 4_000_000;
const MOST_DEPTH = 1000;

export class NextEntries {
  readonly #entries: readonly TraceEntry[];
  readonly #placedAt: ReadonlyMap<number, PlacedLeaf>;
  /** For each entry the index of the next one that is not deeper. */
  readonly #shallower: Int32Array;
  readonly #idsBelow = new Map<Statement, ReadonlySet<number>>();
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
   * Index of the next entry at this shell's level that is not another member of the same pipeline, nor of something
   * started with `&`, nor, after a call of a function, of its body (which may source files with lines of their own).
   * Undefined when nothing ran any more.
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
        this.#isBeside(siblings, placed, entry, shown) ||
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

  /** Whether an entry is of another member of the pipeline; the same leaf again is the next turn of a loop. */
  #isBeside(
    siblings: readonly Statement[],
    placed: PlacedLeaf,
    entry: TraceEntry,
    shown: PlacedLeaf | undefined,
  ): boolean {
    if (siblings.length === 0 || shown?.leaf.id === placed.leaf.id) return false;
    return shown
      ? siblings.some((sibling) => this.#ids(sibling).has(shown.leaf.id))
      : siblings.some((sibling) => startsWith([sibling], entry, undefined));
  }

  #ids(statement: Statement): ReadonlySet<number> {
    const known = this.#idsBelow.get(statement);
    if (known) return known;
    const ids = new Set(leavesOf([statement]).map(({ id }) => id));
    this.#idsBelow.set(statement, ids);
    return ids;
  }
}

function isInBackground(frames: readonly Frame[]): boolean {
  return frames.some((frame) => frame.kind === 'background');
}
