/** Index of the part that `row` is in; `parts`, sorted, each begin with their `firstRow`. 0 when there are none. */
export function lastAtOrBefore(parts: readonly { readonly firstRow: number }[], row: number): number {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((parts[middle]?.firstRow ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
