/** The context of one run, and the lifetime of its container. */
import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import type { Collection } from '../../collection.ts';
import type { Evidence, StepEnd } from '../../evidence.ts';
import type { RunPlan } from '../../plan.ts';
import { unlessAborted, withTimeout } from '../engine/abort.ts';
import type { Engine } from '../engine/connection.ts';
import { containerOptions, type ContainerRequest } from '../container/container.ts';
import { CannotStart, refusedStart } from '../container/ending.ts';
import {
  Cancelled,
  CHECK_ENGINE,
  EngineFailure,
  failureOf,
  imageMissing,
  isConnectionLost,
  statusOf,
  errorText,
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

/** The results of the steps in one container. */
export interface RunRemains {
  readonly oracle?: StepResult;
  readonly verifier: StepResult;
  readonly collection: Collection;
  readonly warnings: Evidence['notes'];
}

/** Podman's words where catatonit, its init program, is not installed. */
const NO_INIT = /container-init binary|init binary not found|catatonit/i;
const CREATE_MS = 120_000;
const KILL_MS = 30_000;

/** What makes the container of a run; the rest is in its plan. */
export type CommandRequest = Pick<
  ContainerRequest,
  'command' | 'user' | 'workdir' | 'env' | 'init' | 'waits'
>;

/**
 * What happens to a container after use: it is `removed` at once, `removed-later` in the background when nothing runs
 * in it any more, or `kept` by its user.
 */
export type Disposal = 'removed' | 'removed-later' | 'kept';

/**
 * Makes a container and gives it to `body`; {@link ownContainer} says how it ends.
 * @throws CannotStart when the engine refuses what the task asks for; EngineFailure; Cancelled.
 */
export async function withContainer<T>(
  context: RunContext,
  request: CommandRequest,
  body: (container: Docker.Container) => Promise<T>,
  disposalOf: (result: T) => Disposal = () => 'removed',
): Promise<T> {
  const { engine, plan, owner, image, phases, signal } = context;
  phases.enter('create');
  // Otherwise the new container would have to be awaited and removed.
  if (signal.aborted) throw new Cancelled();
  const options = containerOptions({ ...request, plan, owner, image, run: randomUUID() }, engine);
  const creating = engine.docker.createContainer(options).catch(async (error: unknown) => {
    if (!options.HostConfig?.Init || !NO_INIT.test(errorText(error))) throw error;
    return engine.docker.createContainer({ ...options, HostConfig: { ...options.HostConfig, Init: false } });
  });
  return ownContainer(context, creating, body, disposalOf);
}

/** Calls `body` with a container; when that fails or the run is cancelled, the container is gone before this settles. */
export async function ownContainer<T>(
  { image, phases, signal, removals }: RunContext,
  creating: Promise<Docker.Container>,
  body: (container: Docker.Container) => Promise<T>,
  disposalOf: (result: T) => Disposal,
): Promise<T> {
  let disposal: Disposal = 'removed';
  try {
    const container = await unlessAborted(creating, signal).catch((error: unknown) => {
      throw statusOf(error) === 404 ? missing(image, error) : refused(error);
    });
    const result = await body(container);
    disposal = disposalOf(result);
    return result;
  } finally {
    if (disposal !== 'kept') {
      phases.enter('remove');
      // Also a container whose creation we no longer waited for.
      const container = await withTimeout(
        creating.catch(() => undefined),
        CREATE_MS,
        undefined,
      );
      if (container && disposal === 'removed-later' && !signal.aborted) removals.add(container);
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
 * Attaches to a container before its start; to its standard input too when its command waits for a start message.
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
  return unlessAborted(withTimeout(exit, timeoutMs, undefined), context.signal);
}

/** Kills a container and waits until its last process is gone. */
export async function killContainer(container: Docker.Container): Promise<void> {
  const killing = container.kill().catch((error: unknown) => {
    // 409 and 404: it has ended by itself meanwhile.
    if (![404, 409].includes(statusOf(error) ?? 0)) throw error;
  });
  const gone = killing.then(() => container.wait({ condition: 'not-running' }));
  if ((await withTimeout(gone, KILL_MS, undefined)) === undefined) {
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
  return new EngineFailure(imageMissing(image, errorText(error)));
}
