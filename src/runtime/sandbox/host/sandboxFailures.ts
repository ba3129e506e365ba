/** Failures of the sandbox, with remedies. Pure. */
import { byCommand, inWords, type Remedy } from '../../../fault/remedy.ts';
import { shortened } from '../../../wording/shortened.ts';
import type { RuntimeFailure } from '../../runtime.ts';
import { hasCode } from './errno.ts';

/** Kernel settings that can forbid user namespaces; undefined where this kernel has no such setting. */
export interface NamespaceSettings {
  readonly unprivilegedClone?: string | undefined;
  readonly maxUserNamespaces?: string | undefined;
  readonly apparmorRestricts?: string | undefined;
}

const DETAIL_CHARACTERS = 1_000;

export function wrongPlatform(platform: string): RuntimeFailure {
  return {
    reason: 'no-sandbox',
    message: `The sandbox needs Linux, and this is ${platform}.`,
    remedies: [inWords('Use a Docker engine, or open the folder in a Linux container or in WSL.')],
  };
}

/** @param program `bwrap` or `prlimit`. */
export function missingProgram(program: string): RuntimeFailure {
  const debian = program === 'bwrap' ? 'bubblewrap' : 'util-linux';
  return {
    reason: 'no-sandbox',
    message: `The sandbox needs ${program}, which is not on PATH.`,
    remedies: [
      byCommand(
        `sudo apt-get install ${debian}`,
        `install ${debian}`,
        `This line is for Debian and Ubuntu; elsewhere, install the package ${debian} of your distribution.`,
      ),
    ],
  };
}

export function noTemporaryFolder(wanted: string | undefined): RuntimeFailure {
  return {
    reason: 'no-sandbox',
    message: `The unprivileged user of a run cannot enter ${wanted ?? 'any temporary folder'}.`,
    remedies: [inWords('Choose a temporary folder that all users can enter, such as /tmp.')],
  };
}

export function noIdentity(): RuntimeFailure {
  return {
    reason: 'no-sandbox',
    message: 'Started by root, the sandbox found no free user id to run a task as.',
    remedies: [inWords('Start it as an ordinary user, or allow this container more user ids.')],
  };
}

/** Bubblewrap cannot set up a sandbox; its message and the kernel's settings show why. */
export function refusedSandbox(words: string, settings: NamespaceSettings): RuntimeFailure {
  return {
    reason: 'no-sandbox',
    message: 'Bubblewrap is installed, but cannot set up a sandbox here.',
    detail: shortened(words.trim(), DETAIL_CHARACTERS),
    remedies: remediesFor(words, settings),
  };
}

/** Maps an error of the host's file system or of spawning. */
export function hostFailure(error: unknown): RuntimeFailure {
  const words = error instanceof Error ? error.message : String(error);
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) {
    return {
      reason: 'disk-full',
      message: 'There is no space left for the files of the run.',
      detail: shortened(words, DETAIL_CHARACTERS),
      remedies: [inWords('Free some space, or choose another temporary folder.')],
    };
  }
  return {
    reason: 'unexpected',
    message: 'The sandbox failed.',
    detail: shortened(words, DETAIL_CHARACTERS),
    remedies: [inWords('Try again; when it happens again, report it with the detail above.')],
  };
}

/** Namespaces are the kernel's to allow; everything else shows in bubblewrap's words. */
function remediesFor(words: string, settings: NamespaceSettings): Remedy[] {
  const command = sysctlFor(settings);
  if (command === undefined) return [inWords(adviceOn(words))];
  return command.includes('apparmor')
    ? [
        inWords('AppArmor restricts user namespaces: allow them for bwrap with a profile.'),
        byCommand(command, 'allow them for all programs'),
      ]
    : [byCommand(command, 'allow user namespaces')];
}

function sysctlFor(settings: NamespaceSettings): string | undefined {
  if (settings.unprivilegedClone === '0') return 'sudo sysctl -w kernel.unprivileged_userns_clone=1';
  if (settings.maxUserNamespaces === '0') return 'sudo sysctl -w user.max_user_namespaces=10000';
  if (settings.apparmorRestricts === '1')
    return 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0';
  return undefined;
}

function adviceOn(words: string): string {
  if (/may not be executed/.test(words)) {
    return 'Choose a temporary folder on a file system that is not mounted with "noexec".';
  }
  if (/unknown option/i.test(words)) return 'Install bubblewrap 0.6 or later.';
  if (/proc/.test(words)) {
    return 'This looks like a container that hides parts of /proc: run outside of it, or use a Docker engine.';
  }
  return 'Run outside of this container, allow it to create user namespaces, or use a Docker engine.';
}
