/** What one run works with, and the container whose end it owns. */
import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import type { Collection } from '../../collection.ts';
import type { Evidence, StepEnd } from '../../evidence.ts';
import type { RunPlan } from '../../plan.ts';
import { unlessAborted, within } from '../engine/abort.ts';
import type { Engine } from '../engine/connection.ts';
import { containerOptions, type ContainerWish } from '../container/container.ts';
import { CannotStart, refusedStart } from '../container/ending.ts';
import {
  Cancelled,
  CHECK_ENGINE,
  EngineFailure,
  failureOf,
  imageMissing,
  isConnectionLost,
  statusOf,
  wordsOf,
} from '../engine/failures.ts';
import type { ImageFacts } from '../image/imageFacts.ts';
import { AttachedOutput, type OutputReaders } from '../container/output.ts';
import type { Removals } from '../container/removals.ts';
import type { PhaseClock } from '../../phaseClock.ts';
import { limitText } from '../../../wording/durationText.ts';

export interface RunContext {
  readonly engine: Engine;
  readonly owner: string;
  readonly plan: RunPlan;
  /** Image id. */
  readonly image: string;
  readonly facts: ImageFacts;
  readonly phases: PhaseClock;
  readonly signal: AbortSignal;
  /** Takes over the removal of a container in which nothing runs any more. */
  readonly removals: Removals;
}

/** How a step ended and what its command printed itself. */
export interface StepResult {
  readonly end: StepEnd;
  readonly output: string;
}

/** What the steps in one container left. */
export interface RunRemains {
  readonly oracle?: StepResult;
  readonly verifier: StepResult;
  readonly collection: Collection;
  readonly notes: Evidence['notes'];
}

/** Podman's words where catatonit, its init program, is not installed. */
const NO_INIT = /container-init binary|init binary not found|catatonit/i;
const CREATE_MS = 120_000;
const KILL_MS = 30_000;

/** What makes the container of a run; the rest is in its plan. */
export type CommandWish = Pick<ContainerWish, 'command' | 'user' | 'workdir' | 'env' | 'init' | 'waits'>;

/**
 * What becomes of a container that was used without an error: `removed` before its user goes on, `removed-later` when
 * nothing runs in it any more, `kept` by its user.
 */
export type Fate = 'removed' | 'removed-later' | 'kept';

/**
 * Makes a container and gives it to `body`; {@link ownContainer} says how it ends.
 * @throws CannotStart when the engine refuses what the task asks for; EngineFailure; Cancelled.
 */
export async function withContainer<T>(
  context: RunContext,
  wish: CommandWish,
  body: (container: Docker.Container) => Promise<T>,
  fate: (result: T) => Fate = () => 'removed',
): Promise<T> {
  const { engine, plan, owner, image, phases, signal } = context;
  phases.enter('create');
  // One that is made all the same would have to be waited for and removed.
  if (signal.aborted) throw new Cancelled();
  const options = containerOptions({ ...wish, plan, owner, image, run: randomUUID() }, engine);
  const creating = engine.docker.createContainer(options).catch(async (error: unknown) => {
    if (!options.HostConfig?.Init || !NO_INIT.test(wordsOf(error))) throw error;
    return engine.docker.createContainer({ ...options, HostConfig: { ...options.HostConfig, Init: false } });
  });
  return ownContainer(context, creating, body, fate);
}

/** Gives a container to `body`; when that fails or the run is cancelled, it is gone before this settles. */
export async function ownContainer<T>(
  { image, phases, signal, removals }: RunContext,
  creating: Promise<Docker.Container>,
  body: (container: Docker.Container) => Promise<T>,
  fate: (result: T) => Fate,
): Promise<T> {
  let ending: Fate = 'removed';
  try {
    const container = await unlessAborted(creating, signal).catch((error: unknown) => {
      throw statusOf(error) === 404 ? missing(image, error) : refused(error);
    });
    const result = await body(container);
    ending = fate(result);
    return result;
  } finally {
    if (ending !== 'kept') {
      phases.enter('remove');
      // Also a container whose creation we no longer waited for.
      const container = await within(
        creating.catch(() => undefined),
        CREATE_MS,
        undefined,
      );
      if (container && ending === 'removed-later' && !signal.aborted) removals.add(container);
      else if (container) await removals.remove(container);
    }
  }
}

/** Starts a container. @throws CannotStart when its command, user or directory is at fault. */
export async function startContainer(context: RunContext, container: Docker.Container): Promise<void> {
  await unlessAborted(container.start(), context.signal).catch((error: unknown) => {
    throw refused(error);
  });
}

/**
 * Attaches to a container that is yet to start; to its standard input as well when its command waits for a word there.
 * @throws CannotStart as {@link startContainer} does: Podman already looks for the command here.
 */
export async function attach(container: Docker.Container, readers: OutputReaders): Promise<AttachedOutput> {
  const stream = await container
    .attach({ stream: true, ...(readers.start && { stdin: true }), stdout: true, stderr: true, hijack: true })
    .catch((error: unknown) => {
      throw refused(error);
    });
  return new AttachedOutput(stream, readers);
}

/** Puts an archive at the root of the container's file system. */
export async function putArchive(container: Docker.Container, archive: Buffer): Promise<void> {
  await container.putArchive(archive, { path: '/' });
}

/** The exit code; race-free after the start, unlike `next-exit`, as it comes at once when the container has ended. */
export function exitCodeOf(container: Docker.Container): Promise<number> {
  return container.wait({ condition: 'not-running' }).then(({ StatusCode }) => StatusCode);
}

/** The value of `exit`, or undefined when the time limit comes first. */
export async function exitWithin(
  context: RunContext,
  exit: Promise<number>,
  timeoutMs: number,
): Promise<number | undefined> {
  return unlessAborted(within(exit, timeoutMs, undefined), context.signal);
}

/** Kills a container and waits until its last process is gone. */
export async function killContainer(container: Docker.Container): Promise<void> {
  const killing = container.kill().catch((error: unknown) => {
    // 409 and 404: it has ended by itself meanwhile.
    if (![404, 409].includes(statusOf(error) ?? 0)) throw error;
  });
  const gone = killing.then(() => container.wait({ condition: 'not-running' }));
  if ((await within(gone, KILL_MS, undefined)) === undefined) {
    throw new EngineFailure({
      reason: 'engine-died',
      message: `The Docker engine did not stop a container within ${limitText(KILL_MS)}.`,
      remedies: [CHECK_ENGINE],
    });
  }
}

function refused(error: unknown): unknown {
  if (isConnectionLost(error)) return new EngineFailure(failureOf(error, 'starting a container'));
  const end = refusedStart(error);
  return end ? new CannotStart(end) : error;
}

function missing(image: string, error: unknown): EngineFailure {
  return new EngineFailure(imageMissing(image, wordsOf(error)));
}
