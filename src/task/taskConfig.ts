/** `task.toml`, after Harbor's schema up to 1.3, as typed values. `null` means that the task does not say. */
import type { ContainerPath } from './containerPath.ts';

export type NetworkMode = 'no-network' | 'public' | 'allowlist';
export type EnvTable = Readonly<Record<string, string>>;

export interface HealthcheckConfig {
  readonly command: string;
  readonly intervalSec: number;
  readonly timeoutSec: number;
  readonly startPeriodSec: number;
  readonly startIntervalSec: number;
  readonly retries: number;
}

export interface McpServerConfig {
  readonly name: string;
  readonly transport: 'stdio' | 'sse' | 'streamable-http';
  readonly url: string | null;
  readonly command: string | null;
  readonly args: readonly string[];
}

export interface EnvironmentConfig {
  readonly buildTimeoutSec: number;
  readonly dockerImage: string | null;
  readonly os: 'linux' | 'windows';
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly storageMb: number | null;
  readonly gpus: number | null;
  readonly gpuTypes: readonly string[] | null;
  readonly tpu: { readonly type: string; readonly topology: string } | null;
  readonly mcpServers: readonly McpServerConfig[];
  readonly env: EnvTable;
  readonly skillsDir: string | null;
  readonly healthcheck: HealthcheckConfig | null;
  readonly workdir: ContainerPath | null;
  readonly networkMode: NetworkMode;
  readonly allowedHosts: readonly string[] | null;
}

export interface VerifierConfig {
  readonly timeoutSec: number;
  readonly env: EnvTable;
  /** A user's name or id, as text. */
  readonly user: string | null;
  readonly networkMode: NetworkMode | null;
  readonly allowedHosts: readonly string[] | null;
  readonly environmentMode: 'shared' | 'separate';
  readonly environment: EnvironmentConfig | null;
  readonly collect: readonly {
    readonly command: string;
    readonly service: string;
    readonly timeoutSec: number;
    readonly user: string | null;
  }[];
}

export interface AgentConfig {
  /** `null`: no time limit. */
  readonly timeoutSec: number | null;
  readonly user: string | null;
  readonly networkMode: NetworkMode | null;
  readonly allowedHosts: readonly string[] | null;
}

export interface ArtifactConfig {
  readonly source: string;
  readonly destination: string | null;
  readonly exclude: readonly string[];
  readonly service: string | null;
}

export interface StepConfig {
  readonly name: string;
  readonly agent: AgentConfig;
  readonly verifier: VerifierConfig;
  readonly minReward: number | Readonly<Record<string, number>> | null;
  readonly healthcheck: HealthcheckConfig | null;
  readonly artifacts: readonly ArtifactConfig[];
}

export interface PackageConfig {
  readonly name: string;
  readonly description: string;
  readonly authors: readonly { readonly name: string; readonly email: string | null }[];
  readonly keywords: readonly string[];
}

export interface TaskConfig {
  readonly schemaVersion: string;
  readonly task: PackageConfig | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly verifier: VerifierConfig;
  readonly agent: AgentConfig;
  readonly environment: EnvironmentConfig;
  readonly solution: { readonly env: EnvTable };
  readonly source: string | null;
  readonly multiStepRewardStrategy: 'mean' | 'final' | null;
  readonly steps: readonly StepConfig[];
  readonly artifacts: readonly ArtifactConfig[];
  /** Keys that Harbor ignores, by dotted path, such as `verifier.restart_environment`. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

/** What one run gets, as Harbor gave until 1.2: the task's own limits, else 1 cpu and 2048 MiB. */
export function effectiveLimits(config: TaskConfig): { readonly cpus: number; readonly memoryMb: number } {
  return { cpus: config.environment.cpus ?? 1, memoryMb: config.environment.memoryMb ?? 2048 };
}
