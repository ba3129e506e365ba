/** Lists inside a sentence, and facts side by side. */

/**
 * `a`, `a and b`, `a, b and c`; with `most` = 2, `a, b and 3 more`.
 * @param options `most` named at most; `last` goes before the last, as in `a, b or c`
 */
export function joinWords(
  words: readonly string[],
  { most = words.length, last = 'and' }: { readonly most?: number; readonly last?: 'and' | 'or' } = {},
): string {
  const left = words.length - most;
  const named = left > 0 ? [...words.slice(0, most), `${left} more`] : words;
  return named.length < 2
    ? named.join('')
    : `${named.slice(0, -1).join(', ')} ${last} ${named.slice(-1).join('')}`;
}

/** The parts that say something, side by side; those that are empty or missing leave no gap. */
export function joined(parts: readonly (string | undefined)[], between = ' · '): string {
  return parts.filter((part) => part !== undefined && part !== '').join(between);
}
