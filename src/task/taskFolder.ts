/** Reads a task that lies as a folder on the host's disk. */
import type { ArchiveLimits, ArchiveResult } from './archive.ts';

/** Whether a folder with these names in it is a task: it has `instruction.md` or `task.toml`. */
export function isTaskFolder(_names: Iterable<string>): boolean {
  throw new Error('not written yet');
}

export async function readTaskFolder(_dir: string, _limits?: Partial<ArchiveLimits>): Promise<ArchiveResult> {
  throw new Error('not written yet');
}
