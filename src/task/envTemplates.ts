/** `${VAR}` and `${VAR:-default}` in a task's env tables, resolved from the host only where the user allows it. */
import type { EnvTable } from './taskConfig.ts';

/** A template without a host value: `key` is the task's variable, `hostName` what it asks for. */
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

export function resolveEnvTemplates(
  _env: EnvTable,
  _allowedHostNames: ReadonlySet<string>,
  _hostEnv: Readonly<Record<string, string | undefined>>,
): ResolvedEnv {
  throw new Error('not written yet');
}
