// The sample tasks, parsed, and temporary folders that are gone after each test.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTask } from '../../../../src/task/parseTask.ts';
import type { Task } from '../../../../src/task/task.ts';
import { readTaskFolder } from '../../../../src/task/archive/taskFolder.ts';
import type { WorkspaceOrigin } from '../../../../src/workspace/workspaceFile.ts';
import { ROOT } from '../../../host/root.ts';

const SAMPLES = join(ROOT, 'test/fixtures/tasks');
export const ORIGIN: WorkspaceOrigin = { dataset: '/data/tasks.parquet', format: 'parquet', row: 3 };

export async function sampleIds(): Promise<string[]> {
  const entries = await readdir(SAMPLES, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

export async function sampleTask(id: string): Promise<Task> {
  const result = await readTaskFolder(join(SAMPLES, id));
  if (!result.ok) throw result.error;
  return parseTask(id, result.files);
}

/** A folder per test; call inside `describe`. */
export function temporaryFolder(): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repair-bench-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}
