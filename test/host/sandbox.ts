// The sandbox runtime's host: bubblewrap, and a system Python that has pytest.
import type { How } from './cache.ts';
import { findExecutable, runCommand } from './command.ts';
import { ensurePackages } from './packages.ts';

/** What the sandbox suite runs with. */
export interface SandboxHost {
  readonly bwrap: string;
  readonly python: string;
  readonly how: How;
}

/**
 * Gives bubblewrap and `/usr/bin/python3` with pytest, and proves that a sandbox starts.
 * @throws Error when one cannot be had, or when this kernel or container refuses namespaces.
 */
export async function ensureSandbox(): Promise<SandboxHost> {
  const how = await ensurePackages('bubblewrap', 'python3', 'python3-pytest');
  const bwrap = findExecutable('bwrap') ?? 'bwrap';
  const python = '/usr/bin/python3';
  const system = ['bin', 'lib', 'lib64', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]);
  await runCommand({
    command: bwrap,
    args: [
      '--ro-bind',
      '/usr',
      '/usr',
      ...system,
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--unshare-all',
    ].concat(['--die-with-parent', '--clearenv', python, '-m', 'pytest', '--version']),
    advice:
      'allow user namespaces on this machine (sysctl kernel.unprivileged_userns_clone=1, or a privileged container).',
    timeoutMs: 60_000,
  });
  return { bwrap, python, how };
}
