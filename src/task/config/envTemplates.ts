/** `${VAR}` and `${VAR:-default}` in a task's env tables, resolved from the host only where the user allows it. */
import type { EnvTable } from './taskConfig.ts';

/** A template that got no host value: `key` is the task's variable, `hostName` the host's that it asks for. */
export interface EnvRequest {
  readonly key: string;
  readonly hostName: string;
}

export interface ResolvedEnv {
  readonly env: EnvTable;
  /** Allowed, but the host does not set it and the template has no default: left out of `env`. */
  readonly missing: readonly EnvRequest[];
  /** Not allowed by the user: the default is used where the template has one, else it is left out of `env`. */
  readonly refused: readonly EnvRequest[];
}

/** The whole value must be the template, as in Harbor (src/harbor/utils/env.py): `a-${VAR}` is plain text. */
const TEMPLATE = /^\$\{([^}:]+)(?::-([\s\S]*))?\}$/;

/**
 * Resolves the templates of one env table. Pure: the host's environment comes in as `hostEnv`. A task may be hostile,
 * so a host variable is read only when its name is in `allowedHostNames`; Harbor itself reads any.
 */
export function resolveEnvTemplates(
  env: EnvTable,
  allowedHostNames: ReadonlySet<string>,
  hostEnv: Readonly<Record<string, string | undefined>>,
): ResolvedEnv {
  const resolved = new Map<string, string>();
  const missing: EnvRequest[] = [];
  const refused: EnvRequest[] = [];
  for (const [key, value] of Object.entries(env)) {
    const [, hostName, fallback] = TEMPLATE.exec(value) ?? [];
    if (hostName === undefined) {
      resolved.set(key, value);
      continue;
    }
    const allowed = allowedHostNames.has(hostName);
    const found = (allowed && Object.hasOwn(hostEnv, hostName) ? hostEnv[hostName] : undefined) ?? fallback;
    if (found !== undefined) resolved.set(key, found);
    if (!allowed) refused.push({ key, hostName });
    else if (found === undefined) missing.push({ key, hostName });
  }
  return { env: Object.fromEntries(resolved), missing, refused };
}
