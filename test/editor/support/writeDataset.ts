// Datasets that a test writes for itself.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Writes a dataset of one task as a folder; `files` by their path in the task. */
export async function writeDataset(
  id: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-bench-dataset-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, id, path)), { recursive: true });
    await writeFile(join(folder, id, path), content);
  }
  return folder;
}

/** The files of a BugsInPy-like task whose verifier is `script`. */
export function taskWithScript(script: string): Readonly<Record<string, string>> {
  return {
    'instruction.md': '# Repair\n',
    'environment/Dockerfile': 'FROM python:3.10-slim\nWORKDIR /app\nCOPY solution.py /app/solution.py\n',
    'environment/solution.py': 'x = 1\n',
    'tests/test.sh': script,
    'task.toml': '[verifier]\ntimeout_sec = 120.0\n',
  };
}
