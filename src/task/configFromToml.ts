/** From `task.toml` as it is spelled to a `TaskConfig`: names, old spellings, defaults that depend on each other. */
import { isContainerPath } from './containerPath.ts';
import type {
  AgentConfig,
  ArtifactConfig,
  EnvironmentConfig,
  HealthcheckConfig,
  StepConfig,
  TaskConfig,
  VerifierConfig,
} from './taskConfig.ts';
import type {
  AgentToml,
  ArtifactToml,
  EnvironmentToml,
  HealthcheckToml,
  StepToml,
  TaskToml,
  VerifierToml,
} from './taskSchema.ts';

/** Something to say about a key; `says` completes the sentence "<key> …". */
export interface ConfigFinding {
  readonly path: readonly (string | number)[];
  readonly says: string;
}

type Path = ConfigFinding['path'];

/** What is gathered on the way, beside the configuration itself. */
interface Notes {
  readonly findings: ConfigFinding[];
  readonly unknown: Map<string, unknown>;
}

/** The newest schema whose source these rules were taken from. */
const NEWEST_KNOWN = [1, 3] as const;

/** Names a parsed `task.toml`; `findings` are its contradictions and what this program does not follow. */
export function configFromToml(toml: TaskToml): {
  readonly config: TaskConfig;
  readonly findings: readonly ConfigFinding[];
} {
  const notes: Notes = { findings: [], unknown: new Map() };
  const { schema_version, version, task, metadata, verifier, agent, environment, solution, ...others } = toml;
  const { source, multi_step_reward_strategy, steps, artifacts, ...unknown } = others;
  noteUnknown(notes, [], unknown);
  const schemaVersion = schema_version ?? version ?? '1.3';
  if (isNewer(schemaVersion))
    notes.findings.push({
      path: [schema_version === undefined ? 'version' : 'schema_version'],
      says: `is ${schemaVersion}, newer than the 1.3 that is known here; keys that it adds have no effect`,
    });
  const own = environmentFrom(notes, ['environment'], environment);
  const { env, ...unknownSolution } = solution;
  noteUnknown(notes, ['solution'], unknownSolution);
  const config: Omit<TaskConfig, 'unknown'> = {
    schemaVersion,
    task: task === undefined ? null : packageFrom(notes, task),
    metadata,
    verifier: verifierFrom(notes, ['verifier'], verifier, own),
    agent: agentFrom(notes, ['agent'], agent),
    environment: own,
    solution: { env },
    source: source ?? null,
    multiStepRewardStrategy: multi_step_reward_strategy ?? (steps.length > 0 ? 'mean' : null),
    steps: steps.map((step, index) => stepFrom(notes, ['steps', index], step, own)),
    artifacts: artifacts.map(artifactFrom),
  };
  return { config: { ...config, unknown: Object.fromEntries(notes.unknown) }, findings: notes.findings };
}

function isNewer(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > NEWEST_KNOWN[0] || (major === NEWEST_KNOWN[0] && minor > NEWEST_KNOWN[1]);
}

function noteUnknown(notes: Notes, path: Path, unknown: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(unknown)) notes.unknown.set([...path, key].join('.'), value);
}

function packageFrom(notes: Notes, toml: NonNullable<TaskToml['task']>): TaskConfig['task'] {
  const { name, description, authors, keywords, ...unknown } = toml;
  noteUnknown(notes, ['task'], unknown);
  return {
    name,
    description,
    authors: authors.map((author) => ({ name: author.name, email: author.email ?? null })),
    keywords,
  };
}

function environmentFrom(notes: Notes, path: Path, toml: EnvironmentToml): EnvironmentConfig {
  const { build_timeout_sec, docker_image, os, cpus, gpus, gpu_types, tpu, env, workdir, ...others } = toml;
  const { memory, memory_mb, storage, storage_mb, allow_internet, network_mode, allowed_hosts, ...rest } =
    others;
  const { mcp_servers, skills_dir, healthcheck, ...unknown } = rest;
  noteUnknown(notes, path, unknown);
  if (cpus !== undefined && !Number.isInteger(cpus))
    notes.findings.push({
      path: [...path, 'cpus'],
      says: `is ${cpus}, which is used here, but Harbor takes whole numbers only; use 1 or more`,
    });
  const mode = network_mode ?? (allow_internet === false ? 'no-network' : 'public');
  checkHosts(notes, path, network_mode, allowed_hosts);
  return {
    buildTimeoutSec: build_timeout_sec,
    dockerImage: docker_image ?? null,
    os,
    cpus: cpus ?? null,
    memoryMb: megabytes(notes, path, 'memory', memory, memory_mb),
    storageMb: megabytes(notes, path, 'storage', storage, storage_mb),
    gpus: gpus ?? null,
    gpuTypes: gpu_types ?? null,
    tpu: tpu === undefined ? null : { type: tpu.type, topology: tpu.topology },
    mcpServers: mcp_servers.map((server) => ({
      name: server.name,
      transport: server.transport,
      url: server.url ?? null,
      command: server.command ?? null,
      args: server.args,
    })),
    env,
    skillsDir: skills_dir ?? null,
    healthcheck: healthcheckFrom(healthcheck),
    workdir: workdir !== undefined && isContainerPath(workdir) ? workdir : null,
    // Harbor looks at allow_internet only where neither of the newer keys is set.
    networkMode: network_mode === undefined && allowed_hosts !== undefined ? 'public' : mode,
    allowedHosts: allowed_hosts ?? null,
  };
}

function checkHosts(
  notes: Notes,
  path: Path,
  mode: string | undefined,
  hosts: readonly string[] | undefined,
): void {
  if (hosts !== undefined && mode !== 'allowlist')
    notes.findings.push({
      path: [...path, 'allowed_hosts'],
      says: 'has no effect, and Harbor refuses it, unless network_mode is "allowlist"; set that, or leave the list out',
    });
}

/** The old `memory = "2G"` beside the new `memory_mb`; a size below one MiB counts as one. */
function megabytes(
  notes: Notes,
  path: Path,
  name: 'memory' | 'storage',
  old: string | undefined,
  mb: number | undefined,
): number | null {
  if (old === undefined) return mb ?? null;
  const [, digits = '0', unit = 'M'] = /^\s*([0-9.]+)\s*([GMK])/i.exec(old) ?? [];
  const factor = { G: 1024, M: 1, K: 1 / 1024 }[unit.toUpperCase()] ?? 1;
  const size = Math.max(1, Math.round(Number(digits) * factor));
  if (mb !== undefined && mb !== size)
    notes.findings.push({
      path: [...path, name],
      says: `is ${old}, but ${name}_mb is ${mb}, which is used; Harbor refuses both together, so leave ${name} out`,
    });
  return mb ?? size;
}

function verifierFrom(
  notes: Notes,
  path: Path,
  toml: VerifierToml,
  shared: EnvironmentConfig,
): VerifierConfig {
  const { timeout_sec, env, user, network_mode, allowed_hosts, environment_mode, environment, ...others } =
    toml;
  const { collect, ...unknown } = others;
  noteUnknown(notes, path, unknown);
  checkHosts(notes, path, network_mode, allowed_hosts);
  const own =
    environment === undefined ? null : environmentFrom(notes, [...path, 'environment'], environment);
  if (environment_mode === 'shared' && own !== null)
    notes.findings.push({
      path: [...path, 'environment_mode'],
      says: 'is "shared", but the verifier has an environment of its own; Harbor refuses that, so leave one of them out',
    });
  const mode = environment_mode ?? (own === null ? 'shared' : 'separate');
  return {
    timeoutSec: timeout_sec,
    env,
    user: user ?? null,
    networkMode: network_mode ?? null,
    allowedHosts: allowed_hosts ?? null,
    environmentMode: mode,
    environment: own ?? (mode === 'separate' ? shared : null),
    collect: collect.map((item) => ({
      command: item.command,
      service: item.service,
      timeoutSec: item.timeout_sec,
      user: item.user ?? null,
    })),
  };
}

function agentFrom(notes: Notes, path: Path, toml: AgentToml): AgentConfig {
  const { timeout_sec, user, network_mode, allowed_hosts, ...unknown } = toml;
  noteUnknown(notes, path, unknown);
  checkHosts(notes, path, network_mode, allowed_hosts);
  return {
    timeoutSec: timeout_sec ?? null,
    user: user ?? null,
    networkMode: network_mode ?? null,
    allowedHosts: allowed_hosts ?? null,
  };
}

function stepFrom(notes: Notes, path: Path, toml: StepToml, shared: EnvironmentConfig): StepConfig {
  const { name, agent, verifier, min_reward, healthcheck, artifacts, ...unknown } = toml;
  noteUnknown(notes, path, unknown);
  return {
    name,
    agent: agentFrom(notes, [...path, 'agent'], agent),
    verifier: verifierFrom(notes, [...path, 'verifier'], verifier, shared),
    minReward: min_reward ?? null,
    healthcheck: healthcheckFrom(healthcheck),
    artifacts: artifacts.map(artifactFrom),
  };
}

function healthcheckFrom(toml: HealthcheckToml | undefined): HealthcheckConfig | null {
  if (toml === undefined) return null;
  return {
    command: toml.command,
    intervalSec: toml.interval_sec,
    timeoutSec: toml.timeout_sec,
    startPeriodSec: toml.start_period_sec,
    startIntervalSec: toml.start_interval_sec,
    retries: toml.retries,
  };
}

function artifactFrom(toml: ArtifactToml): ArtifactConfig {
  return {
    source: toml.source,
    destination: 'destination' in toml ? (toml.destination ?? null) : null,
    exclude: toml.exclude,
    service: 'service' in toml ? (toml.service ?? null) : null,
  };
}
