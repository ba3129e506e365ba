/** Times as a person reads them; the units are written alike in every language. */

/** How long something took, in milliseconds: `340 ms`, `1.2 s`, `2 min 5 s`, `1 h 15 min`. */
export function durationText(ms: number): string {
  // What would be rounded up to the next unit is written in that unit: never `1000 ms`, `60.0 s` or `1 min 60 s`.
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(ms / 60_000);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time limit, in milliseconds, as settings and task.toml have it: `0.4 s`, `600 s`. */
export function limitText(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
