/** Finds what a person meant by a mistyped word. */

const MOST_WORD = 64;

const MOST_CANDIDATES = 5;

/**
 * The candidates that need the fewest edits, if that is at most a third of the word: all that are equally near, in
 * order, at most five.
 */
export function didYouMean(word: string, candidates: Iterable<string>): string[] {
  let fewest = Infinity;
  let nearest: string[] = [];
  for (const candidate of candidates) {
    const edits = editDistance(word.slice(0, MOST_WORD), candidate.slice(0, MOST_WORD));
    const longest = Math.max(word.length, candidate.length);
    if (edits > fewest || edits > Math.max(1, Math.floor(longest / 3))) continue;
    if (edits < fewest) nearest = [];
    fewest = edits;
    if (nearest.length < MOST_CANDIDATES) nearest.push(candidate);
  }
  return nearest;
}

/** Levenshtein's distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
