/** A container that was started ahead and waits for its run. */
import type Docker from 'dockerode';
import { unlessAborted, withTimeout } from '../engine/abort.ts';
import type { Engine } from '../engine/connection.ts';
import { containerOptions } from '../container/container.ts';
import { canRunDirectly } from './directRun.ts';
import type { AttachedOutput } from '../container/output.ts';
import { withParcel } from '../container/parcel.ts';
import { attach, exitCodeOf, startContainer, withContainer, type RunContext } from './runContext.ts';
import { keptPaths } from '../container/upload.ts';
import { startMessage, StartReader, waitingCommand } from '../container/warmStart.ts';

const READY_MS = 30_000;
/** An engine reports the end of a container a moment after the end of its output. */
const EXIT_MS = 5_000;
/** A waiting shell answers at once; only unpacking takes time. */
const BEGIN_MS = 3_000;
const UNPACKED_BYTES_PER_MS = 4096;
/** A shell's exit status from which on it was killed, as by the kernel for want of memory. */
const FIRST_SIGNAL = 128;
/** Clocks drift by less; a suspended machine or a clock that was set makes more. */
const CLOCK_JUMP_MS = 5_000;

export class WarmContainer {
  /** Containers with equal keys are made of the same. */
  readonly key: string;
  /** Equal for runs of the same verifier, whatever the settings. */
  readonly purpose: string;
  readonly engine: Engine;
  readonly container: Docker.Container;
  readonly output: AttachedOutput;
  /** Settles when the container ends, whenever that is; rejects when the engine is gone. */
  readonly exit: Promise<number>;
  readonly #start: StartReader;
  readonly #madeAt = { wall: Date.now(), steady: performance.now() };

  constructor(context: RunContext, container: Docker.Container, output: AttachedOutput, start: StartReader) {
    this.key = warmKey(context);
    this.purpose = purposeOf(context);
    this.engine = context.engine;
    this.container = container;
    this.output = output;
    this.#start = start;
    this.exit = exitCodeOf(container);
    this.exit.catch(() => undefined);
  }

  /** How long it has waited, in milliseconds; undefined when the clock was set, or the machine slept, meanwhile. */
  get age(): number | undefined {
    const steady = performance.now() - this.#madeAt.steady;
    const wall = Date.now() - this.#madeAt.wall;
    return Math.abs(wall - steady) > CLOCK_JUMP_MS ? undefined : steady;
  }

  /** Whether it waits; `never` when it ended, since another container of this image would end too. */
  async isReady(): Promise<'yes' | 'not-yet' | 'never'> {
    if (await this.#waitFor(this.#start.ready, READY_MS)) return 'yes';
    const code = await withTimeout(
      this.exit.catch(() => undefined),
      EXIT_MS,
      undefined,
    );
    return code !== undefined && code < FIRST_SIGNAL ? 'never' : 'not-yet';
  }

  /** Writes the files and starts the verifier. False: the verifier did not run and never will. */
  async begin(archive: Buffer): Promise<boolean> {
    this.output.write(startMessage(archive));
    return this.#waitFor(this.#start.begun, BEGIN_MS + archive.length / UNPACKED_BYTES_PER_MS);
  }

  async #waitFor(word: Promise<void>, ms: number): Promise<boolean> {
    const silent = this.output.ended.then(() => false);
    return withTimeout(Promise.race([word.then(() => true), silent]), ms, false);
  }
}

/** Identifies what a container must be made of to be used for a plan. */
export function warmKey({ engine, owner, plan, image }: RunContext): string {
  const { command, user, workdir, env, emptied } = plan.verifier;
  const options = containerOptions(
    { plan, owner, image, run: '', command, user, workdir, env, init: true, waits: true },
    engine,
  );
  return JSON.stringify([options, plan.collected, emptied]);
}

export function purposeOf({ plan }: RunContext): string {
  return JSON.stringify([plan.task, plan.verifier.command]);
}

/**
 * Whether a container can be started ahead for a plan: it must be one that can run directly.
 * Whether its folders are empty in the image is known only when the container is made.
 */
export function canBeWarm(context: RunContext): boolean {
  const { verifier, collected } = context.plan;
  return canRunDirectly(context) && withParcel(verifier.command, collected) !== undefined;
}

/** `unable`: the image lacks something. `late`: it was not ready in time, but may be another time. */
export type WarmResult =
  { readonly kind: 'waits'; readonly warm: WarmContainer } | { readonly kind: 'unable' | 'late' };

/**
 * Starts a container that waits.
 * @throws as {@link withContainer} does; the container is gone then.
 */
export async function createWarm(context: RunContext): Promise<WarmResult> {
  const { plan, facts, signal } = context;
  const { user, workdir, env, emptied, files, command } = plan.verifier;
  const parcel = withParcel(command, plan.collected);
  if (!parcel) return { kind: 'unable' };
  const waiting = waitingCommand(parcel.command);
  const request = { command: waiting.command, user, workdir, env, init: true, waits: true };
  const make = async (container: Docker.Container): Promise<WarmResult> => {
    const blocked = await unlessAborted(facts.withContent(container, emptied), signal);
    if (blocked.length > 0) return { kind: 'unable' };
    await unlessAborted(facts.identities(container, keptPaths(files)), signal);
    const start = new StartReader(waiting.mark);
    const output = await unlessAborted(attach(container, { mark: parcel.mark, start }), signal);
    try {
      await startContainer(context, container);
      const warm = new WarmContainer(context, container, output, start);
      const ready = await unlessAborted(warm.isReady(), signal);
      if (ready === 'yes') return { kind: 'waits', warm };
      output.close();
      return { kind: ready === 'never' ? 'unable' : 'late' };
    } catch (error) {
      output.close();
      throw error;
    }
  };
  return withContainer(context, request, make, ({ kind }) => (kind === 'waits' ? 'kept' : 'removed'));
}
