/** Removes a folder that untrusted code filled: any depth, any names, any modes, and no link is followed. */
import { spawn } from 'node:child_process';
import { lstat } from 'node:fs/promises';

const OUTPUT_BYTES = 2_000;

/**
 * Removes a folder and all below it. rm(1) walks with file descriptors: paths longer than PATH_MAX, which
 * `fs.rm` cannot take, are no hurdle to it. Throws when something is left.
 */
export async function removeTree(hostPath: string): Promise<void> {
  const first = await runQuietly('rm', ['-rf', '--', hostPath]);
  if (!(await exists(hostPath))) return;
  // Folders without permission bits stop everyone but root. chmod -R does not follow links.
  await runQuietly('chmod', ['-R', 'u+rwx', '--', hostPath]);
  const second = await runQuietly('rm', ['-rf', '--', hostPath]);
  if (await exists(hostPath)) throw new Error(`Could not remove ${hostPath}: ${second || first}`);
}

async function exists(hostPath: string): Promise<boolean> {
  return lstat(hostPath).then(
    () => true,
    () => false,
  );
}

/** Runs a system program and gives what it complained about. */
function runQuietly(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < OUTPUT_BYTES) complaint += chunk.toString('utf8');
    });
    child.on('error', (error) => resolve(error.message));
    child.on('close', () => resolve(complaint.trim().slice(0, OUTPUT_BYTES)));
  });
}
