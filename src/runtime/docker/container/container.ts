/** Makes the container of a run, and removes it. */
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Evidence } from '../../evidence.ts';
import { fewerCpusWarning, notEnforcedWarning } from '../../runtimeWarnings.ts';
import type { RunPlan } from '../../plan.ts';
import type { Engine } from '../engine/connection.ts';
import { isConnectionLost, statusOf } from '../engine/failures.ts';

export const OWNER_LABEL = 'repair-bench.owner';
export const TASK_LABEL = 'repair-bench.task';
const RUN_LABEL = 'repair-bench.run';
/** The label of a container that was started ahead of its run. */
export const WARM_LABEL = 'repair-bench.warm';

const MIB = 1024 * 1024;
const NANO = 1e9;
const REMOVE_TRIES = 50;
const REMOVE_PAUSE_MS = 100;

/** What a container is made of. */
export interface ContainerRequest {
  readonly image: string;
  readonly plan: RunPlan;
  readonly owner: string;
  readonly run: string;
  readonly command: readonly string[];
  readonly user?: string | undefined;
  readonly workdir?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Put the engine's init program before the command, which then is not process 1. */
  readonly init: boolean;
  /** It waits for its start message on standard input, which closes with the connection. */
  readonly waits?: boolean;
}

/**
 * Options of a container that shares nothing with the host: no mounts, no socket, no terminal, no log on the
 * engine's disk, and limits on processor, memory, processes and file size.
 */
export function containerOptions(request: ContainerRequest, engine: Engine): Docker.ContainerCreateOptions {
  const { limits, network, task } = request.plan;
  const [program = '', ...args] = request.command;
  const memory = bytesOf(limits.memoryMb);
  const fileSize = bytesOf(limits.fileSizeMb);
  const canLimit = (limit: Engine['unenforced'][number]): boolean => !engine.unenforced.includes(limit);
  return {
    name: `repair-bench-${request.run}`,
    Image: request.image,
    // An entrypoint of the image would run instead of the command.
    Entrypoint: [program],
    Cmd: args,
    Env: environmentOf(request.env),
    ...(request.user !== undefined && { User: request.user }),
    ...(request.workdir !== undefined && { WorkingDir: request.workdir }),
    Labels: {
      [OWNER_LABEL]: request.owner,
      [TASK_LABEL]: task,
      [RUN_LABEL]: request.run,
      ...(request.waits && { [WARM_LABEL]: 'yes' }),
    },
    ...(request.waits && { AttachStdin: true, OpenStdin: true, StdinOnce: true }),
    Healthcheck: { Test: ['NONE'] },
    Tty: false,
    HostConfig: {
      NetworkMode: network,
      ...(canLimit('cpus') && { NanoCpus: Math.round(Math.min(limits.cpus, engine.cpus) * NANO) }),
      // MemorySwap equal to Memory: no swap.
      ...(canLimit('memory') && { Memory: memory, MemorySwap: memory }),
      ...(canLimit('pids') && { PidsLimit: limits.pids }),
      Ulimits: [
        { Name: 'fsize', Soft: fileSize, Hard: fileSize },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      LogConfig: { Type: 'none', Config: {} },
      SecurityOpt: ['no-new-privileges'],
      AutoRemove: false,
      Init: request.init && engine.hasInit,
    },
  };
}

/** An engine takes whole numbers only. */
function bytesOf(mebibytes: number): number {
  return Math.floor(mebibytes * MIB);
}

/** Warns of limits of the plan that the engine cannot enforce. */
export function limitWarnings(plan: RunPlan, engine: Engine): Evidence['notes'] {
  const { cpus } = plan.limits;
  const notes = engine.unenforced.map((limit) => notEnforcedWarning(engine.name, limit));
  // The engine refuses more processors than it has.
  return cpus > engine.cpus ? [...notes, fewerCpusWarning(cpus, 'the engine', engine.cpus)] : notes;
}

export function environmentOf(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}

/**
 * Removes a container with its processes and anonymous volumes, and waits until it is gone.
 * An engine that is gone itself is no error: the next sweep removes what it left.
 * @returns false when the engine is gone.
 */
export async function removeContainer(container: Docker.Container): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      await container.remove({ force: true, v: true });
      return true;
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return true;
      if (isConnectionLost(error)) return false;
      // 409: somebody else's removal is in progress. 500: a file system that is still busy.
      if (tries === REMOVE_TRIES) throw error;
      await delay(REMOVE_PAUSE_MS);
    }
  }
}
