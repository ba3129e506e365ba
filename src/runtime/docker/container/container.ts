/** How a run's container is made, and how it surely ends. */
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Evidence } from '../../evidence.ts';
import { fewerCpusNote, notEnforcedNote } from '../../notes.ts';
import type { RunPlan } from '../../plan.ts';
import type { Engine } from '../engine/connection.ts';
import { isConnectionLost, statusOf } from '../engine/failures.ts';

export const OWNER_LABEL = 'repair-bench.owner';
export const TASK_LABEL = 'repair-bench.task';
const RUN_LABEL = 'repair-bench.run';
/** Of a container that was started before anybody asked for the run. */
export const WARM_LABEL = 'repair-bench.warm';

const MIB = 1024 * 1024;
const NANO = 1e9;
const REMOVE_TRIES = 50;
const REMOVE_PAUSE_MS = 100;

/** What makes one container of one run. */
export interface ContainerWish {
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
  /** It waits for a word on its standard input, which closes with the connection that gives it. */
  readonly waits?: boolean;
}

/**
 * Options of a container that shares nothing with the host: no mounts, no socket, no terminal, no log on the
 * engine's disk, and limits on processor, memory, processes and file size.
 */
export function containerOptions(wish: ContainerWish, engine: Engine): Docker.ContainerCreateOptions {
  const { limits, network, task } = wish.plan;
  const [program = '', ...args] = wish.command;
  const memory = bytesOf(limits.memoryMb);
  const fileSize = bytesOf(limits.fileSizeMb);
  const canLimit = (limit: Engine['unenforced'][number]): boolean => !engine.unenforced.includes(limit);
  return {
    name: `repair-bench-${wish.run}`,
    Image: wish.image,
    // An entrypoint of the image would run instead of the command.
    Entrypoint: [program],
    Cmd: args,
    Env: environmentOf(wish.env),
    ...(wish.user !== undefined && { User: wish.user }),
    ...(wish.workdir !== undefined && { WorkingDir: wish.workdir }),
    Labels: {
      [OWNER_LABEL]: wish.owner,
      [TASK_LABEL]: task,
      [RUN_LABEL]: wish.run,
      ...(wish.waits && { [WARM_LABEL]: 'yes' }),
    },
    ...(wish.waits && { AttachStdin: true, OpenStdin: true, StdinOnce: true }),
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
      Init: wish.init && engine.hasInit,
    },
  };
}

/** An engine takes whole numbers only. */
function bytesOf(mebibytes: number): number {
  return Math.floor(mebibytes * MIB);
}

/** Where the engine's limits cannot be those of the plan. */
export function limitNotes(plan: RunPlan, engine: Engine): Evidence['notes'] {
  const { cpus } = plan.limits;
  const notes = engine.unenforced.map((limit) => notEnforcedNote(engine.name, limit));
  // The engine refuses more processors than it has.
  return cpus > engine.cpus ? [...notes, fewerCpusNote(cpus, 'the engine', engine.cpus)] : notes;
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
