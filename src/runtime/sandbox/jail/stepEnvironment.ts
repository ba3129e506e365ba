/** The environment variables of a step: what a container of the image would have given it. Pure. */
import { SANDBOX_HOSTNAME } from './bwrapArguments.ts';
import type { SandboxUser } from '../host/sandboxUser.ts';

const DEFAULTS: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOSTNAME: SANDBOX_HOSTNAME,
  LANG: 'C.UTF-8',
};

/** The image's variables, then the step's own; what the host's process has never gets in. */
export function stepEnvironment(
  image: Readonly<Record<string, string>>,
  step: Readonly<Record<string, string>>,
  user: SandboxUser,
): Record<string, string> {
  return { ...DEFAULTS, HOME: user.home, ...image, ...step };
}

/** A variable that no process can have, or undefined when all are fine. */
export function impossibleVariable(env: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(env).find(
    ([name, value]) => name === '' || /[=\0]/.test(name) || value.includes('\0'),
  )?.[0];
}
