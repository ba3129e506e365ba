/** Writes a task's files as a deterministic gzipped tar. */
import type { TaskFile } from './task.ts';

export async function packTaskArchive(_files: Iterable<TaskFile>): Promise<Uint8Array> {
  throw new Error('not written yet');
}
