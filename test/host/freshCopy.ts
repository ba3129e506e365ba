// The sources as a stranger gets them: without anything that was installed or built here; installed and built there.
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runCommand } from './command.ts';
import { ROOT } from './root.ts';

const MADE_HERE = new Set(['node_modules', 'dist', 'out', '.git', '.vscode-test']);

/** Fills `folder`, which must not exist, and gives the command line's program in it. */
export async function freshCopy(folder: string): Promise<string> {
  await cp(ROOT, folder, { recursive: true, filter: (path) => !MADE_HERE.has(basename(path)) });
  await runCommand({
    command: 'npm',
    args: ['run', 'build'],
    cwd: folder,
    advice: 'check that the npm registry answers, then run this again.',
  });
  return join(folder, 'dist/cli.cjs');
}
