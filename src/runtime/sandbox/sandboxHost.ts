/** Finds what the sandbox needs on this machine; the same for every run. */
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import type { RuntimeFailure } from '../runtime.ts';
import { runHostProgram, findPrograms, isExecutable, type HostEnvironment } from './host/hostProgram.ts';
import { readHostView, type HostView } from './jail/hostView.ts';
import { findInterpreter, type Interpreter } from './host/interpreter.ts';
import { missingProgram, wrongPlatform, type NamespaceSettings } from './host/sandboxFailures.ts';

export interface SandboxOptions {
  /** Whose runs these are; part of the names of temporary folders. */
  readonly owner: string;
  /** The host's environment, to find programs by. Nothing of it reaches a run. */
  readonly env: HostEnvironment;
  /** Where run folders are made; the system's temporary folder when undefined. */
  readonly tmpRoot?: string | undefined;
  readonly bwrapPath?: string | undefined;
  /** The Python 3 that stands in for the image's; the first with pytest on PATH when undefined. */
  readonly pythonPath?: string | undefined;
  /** That Python, where it has been looked for already. */
  readonly interpreter?: Promise<Interpreter | undefined>;
}

export interface SandboxHost {
  readonly bwrap: string;
  readonly prlimit: string;
  /** Undefined: runs cannot be held to a number of processors. */
  readonly taskset: string | undefined;
  readonly shell: string;
  /** Such as `bubblewrap 0.8.0`. */
  readonly name: string;
  /** Such as `linux/amd64`. */
  readonly platform: string;
  readonly interpreter: Interpreter | undefined;
  readonly view: HostView;
}

export type HostResult =
  | { readonly kind: 'found'; readonly host: SandboxHost }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure };

/** Node's names for processors and Docker's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };
const SHELLS = ['/usr/bin/sh', '/bin/sh'];

/** Finds the programs. Only a test run shows whether the kernel lets bubblewrap work. */
export async function findSandboxHost(options: SandboxOptions): Promise<HostResult> {
  if (process.platform !== 'linux') return { kind: 'failed', failure: wrongPlatform(process.platform) };
  const bwrap = options.bwrapPath ?? (await findPrograms('bwrap', options.env))[0];
  if (bwrap === undefined || !(await isExecutable(bwrap))) {
    return { kind: 'failed', failure: missingProgram('bwrap') };
  }
  const prlimit = (await findPrograms('prlimit', options.env))[0];
  if (prlimit === undefined) return { kind: 'failed', failure: missingProgram('prlimit') };
  const [version, interpreter, shell, [taskset]] = await Promise.all([
    runHostProgram(bwrap, ['--version'], { env: {} }),
    options.interpreter ?? findHostInterpreter(options),
    findShell(),
    findPrograms('taskset', options.env),
  ]);
  return {
    kind: 'found',
    host: {
      bwrap,
      prlimit,
      taskset,
      shell,
      name: version.stdout.trim() || 'bubblewrap',
      platform: `linux/${ARCHITECTURES[os.arch()] ?? os.arch()}`,
      interpreter,
      view: await readHostView(interpreter),
    },
  };
}

/** The Python 3 that runs on this machine would have; undefined where they can reach none. */
export function findHostInterpreter({
  env,
  pythonPath,
}: Pick<SandboxOptions, 'env' | 'pythonPath'>): Promise<Interpreter | undefined> {
  return findInterpreter(env, pythonPath, process.getuid?.() === 0);
}

/** Reads the settings that can forbid user namespaces. */
export async function readNamespaceSettings(): Promise<NamespaceSettings> {
  const read = (name: string): Promise<string | undefined> =>
    readFile(`/proc/sys/${name}`, 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    );
  const [unprivilegedClone, maxUserNamespaces, apparmorRestricts] = await Promise.all([
    read('kernel/unprivileged_userns_clone'),
    read('user/max_user_namespaces'),
    read('kernel/apparmor_restrict_unprivileged_userns'),
  ]);
  return { unprivilegedClone, maxUserNamespaces, apparmorRestricts };
}

/** The one in /usr, which is read-only in every sandbox, before the one in /bin, which can be a link. */
async function findShell(): Promise<string> {
  for (const shell of SHELLS) if (await isExecutable(shell)) return shell;
  return '/bin/sh';
}
