// Debian packages: installs those that are missing, where this user may.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findExecutable, runCommand } from './command.ts';
import type { How } from './cache.ts';
import { withLock } from './locks.ts';

const APT = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', '-q'];
const ENV = { DEBIAN_FRONTEND: 'noninteractive' };
const ADVICE = 'check that the package sources of this machine answer, then run this again.';

/**
 * Installs the Debian packages that are missing.
 * @throws Error that names the missing packages, when this user cannot install any.
 */
export async function ensurePackages(...names: readonly string[]): Promise<How> {
  if ((await missing(names)).length === 0) return 'reused';
  return withLock('apt', async () => {
    const absent = await missing(names);
    if (absent.length === 0) return 'reused';
    mustBeAbleToInstall(absent);
    await updateLists();
    await runCommand({
      command: 'apt-get',
      args: [...APT, 'install', '-y', '--no-install-recommends', ...absent],
      env: ENV,
      advice: ADVICE,
    });
    return 'installed';
  });
}

/** Unpacks a Debian package into `folder` without installing it. */
export async function unpackPackage(name: string, folder: string): Promise<void> {
  await withLock('apt', async () => {
    if (process.getuid?.() === 0) await updateLists();
    await runCommand({ command: 'apt-get', args: [...APT, 'download', name], cwd: folder, advice: ADVICE });
  });
  await runCommand({
    command: 'sh',
    args: ['-c', 'dpkg-deb -x "$1"_*.deb . && rm "$1"_*.deb', 'sh', name],
    cwd: folder,
    advice: ADVICE,
  });
}

/** A source that is down need not matter: whether what we need was there, the install says. */
async function updateLists(): Promise<void> {
  await runCommand({ command: 'apt-get', args: [...APT, 'update'], env: ENV, advice: ADVICE }).catch(
    () => '',
  );
}

async function missing(names: readonly string[]): Promise<string[]> {
  if (!findExecutable('dpkg-query')) return [...names];
  const states = await Promise.all(names.map(isInstalled));
  return names.filter((_, index) => !states[index]);
}

async function isInstalled(name: string): Promise<boolean> {
  return promisify(execFile)('dpkg-query', ['-W', '-f=${db:Status-Status}', name]).then(
    ({ stdout }) => stdout.trim() === 'installed',
    () => false,
  );
}

function mustBeAbleToInstall(absent: readonly string[]): void {
  const list = absent.join(' ');
  if (!findExecutable('apt-get')) {
    throw new Error(
      `Needed and not found: ${list}. This machine has no apt-get; install what corresponds to them.`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      `Needed and not found: ${list}. Run \`sudo apt-get install -y --no-install-recommends ${list}\`.`,
    );
  }
}
