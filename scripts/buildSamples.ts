/**
 * Builds the sample dataset that ships with the extension, `media/samples/tasks.parquet`, from the tasks in
 * `test/fixtures/tasks`. The same tasks give the same file. Run with `node --import=tsx scripts/buildSamples.ts`.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { packTaskArchive } from '../src/task/archive/packArchive.ts';
import { readTaskFolder } from '../src/task/archive/taskFolder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export const SAMPLE_TASKS = join(ROOT, 'test', 'fixtures', 'tasks');
export const SAMPLE_FILE = join(ROOT, 'media', 'samples', 'tasks.parquet');

/** The Parquet file of all task folders in `folder`, sorted by name: the columns `path` and `task_binary`. */
export async function buildSamples(folder: string): Promise<Uint8Array> {
  const entries = await readdir(folder, { withFileTypes: true });
  const paths = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  paths.sort();
  const archives: Uint8Array[] = [];
  for (const path of paths) {
    const task = await readTaskFolder(join(folder, path));
    if (!task.ok) throw task.error;
    archives.push(await packTaskArchive(task.files.values()));
  }
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: 'path', data: paths, type: 'STRING', nullable: false },
      { name: 'task_binary', data: archives, type: 'BYTE_ARRAY', nullable: false },
    ],
  });
  return new Uint8Array(bytes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bytes = await buildSamples(SAMPLE_TASKS);
  await mkdir(dirname(SAMPLE_FILE), { recursive: true });
  await writeFile(SAMPLE_FILE, bytes);
  console.log(`${SAMPLE_FILE}: ${bytes.length} bytes`);
}
