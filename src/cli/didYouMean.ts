/** Finds what a person meant by a mistyped word. */

const MOST_WORD = 64;

/** The candidate that needs the fewest edits, if that is at most a third of the word; undefined otherwise. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; edits: number } | undefined;
  for (const candidate of candidates) {
    const edits = editDistance(word.slice(0, MOST_WORD), candidate.slice(0, MOST_WORD));
    if (!best || edits < best.edits) best = { candidate, edits };
  }
  const longest = Math.max(word.length, best?.candidate.length ?? 0);
  return best && best.edits <= Math.max(1, Math.floor(longest / 3)) ? best.candidate : undefined;
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
