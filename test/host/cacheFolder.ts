// Where what test hosts install lives, outside the repository.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder that holds all installs: `REPAIR_BENCH_CACHE`, else `repair-bench` in the user's cache folder. */
export function cacheFolder(): string {
  const { REPAIR_BENCH_CACHE, XDG_CACHE_HOME } = process.env;
  return REPAIR_BENCH_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'repair-bench');
}
