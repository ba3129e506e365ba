/** A container that was started ahead and waits for its one run. */
import type Docker from 'dockerode';
import { unlessAborted, within } from '../engine/abort.ts';
import type { Engine } from '../engine/connection.ts';
import { containerOptions } from '../container/container.ts';
import { canRunDirectly } from './directRun.ts';
import type { AttachedOutput } from '../container/output.ts';
import { withParcel } from '../container/parcel.ts';
import { attach, exitCodeOf, startContainer, withContainer, type RunContext } from './runContext.ts';
import { keptPaths } from '../container/upload.ts';
import { goAhead, StartReader, waiting } from '../container/warmStart.ts';

const READY_MS = 30_000;
/** An engine tells that a container has ended a moment after its output has. */
const EXIT_MS = 5_000;
/** A shell that waits answers at once; only unpacking takes its time, and somebody waits for the run. */
const BEGIN_MS = 3_000;
const UNPACKED_BYTES_PER_MS = 4096;
/** A shell's exit status from which on it was killed, as by the kernel for want of memory. */
const FIRST_SIGNAL = 128;
/** Clocks drift by less; a suspended machine or a clock that was set makes more. */
const CLOCK_JUMP_MS = 5_000;

export class WarmContainer {
  /** Equal keys: a container that was made at once would be the same. */
  readonly key: string;
  /** Equal purposes: runs of the same verifier, whatever the settings. */
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

  /** Whether it has begun to wait; `never` when it ended, as nothing that it is made of will let it. */
  async isReady(): Promise<'yes' | 'not-yet' | 'never'> {
    if (await this.#says(this.#start.ready, READY_MS)) return 'yes';
    const code = await within(
      this.exit.catch(() => undefined),
      EXIT_MS,
      undefined,
    );
    return code !== undefined && code < FIRST_SIGNAL ? 'never' : 'not-yet';
  }

  /** Puts the files in place and starts the verifier. False: nothing of the verifier has run, and nothing will. */
  async begin(archive: Buffer): Promise<boolean> {
    this.output.write(goAhead(archive));
    return this.#says(this.#start.begun, BEGIN_MS + archive.length / UNPACKED_BYTES_PER_MS);
  }

  async #says(word: Promise<void>, ms: number): Promise<boolean> {
    const silent = this.output.ended.then(() => false);
    return within(Promise.race([word.then(() => true), silent]), ms, false);
  }
}

/** What a container must have been made of to be used for a plan in an image. */
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
 * Whether a plan can have a container made ahead: it must be a plan for the short way.
 * A folder that is not empty in the image is found out when the container is made.
 */
export function canBeWarm(context: RunContext): boolean {
  const { verifier, collected } = context.plan;
  return canRunDirectly(context) && withParcel(verifier.command, collected) !== undefined;
}

/** `unable`: the image does not have what it takes. `late`: another time it may be ready sooner. */
export type Making =
  { readonly kind: 'waits'; readonly warm: WarmContainer } | { readonly kind: 'unable' | 'late' };

/**
 * Starts a container that waits.
 * @throws as {@link withContainer} does; the container is gone then.
 */
export async function makeWarm(context: RunContext): Promise<Making> {
  const { plan, facts, signal } = context;
  const { user, workdir, env, emptied, files, command } = plan.verifier;
  const asked = withParcel(command, plan.collected);
  if (!asked) return { kind: 'unable' };
  const held = waiting(asked.command);
  const wish = { command: held.command, user, workdir, env, init: true, waits: true };
  const make = async (container: Docker.Container): Promise<Making> => {
    const blocked = await unlessAborted(facts.withContent(container, emptied), signal);
    if (blocked.length > 0) return { kind: 'unable' };
    await unlessAborted(facts.identities(container, keptPaths(files)), signal);
    const start = new StartReader(held.mark);
    const output = await unlessAborted(attach(container, { mark: asked.mark, start }), signal);
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
  return withContainer(context, wish, make, ({ kind }) => (kind === 'waits' ? 'kept' : 'removed'));
}
