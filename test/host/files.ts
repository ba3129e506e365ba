// Finds test files.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file below `folder` whose name ends in `ending`, sorted; none if there is no such folder. */
export async function glob(folder: string, ending: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
