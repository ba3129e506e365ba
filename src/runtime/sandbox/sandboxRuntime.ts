/** The sandbox runtime: a task's verifier in bubblewrap, for machines without a container engine. */
import { createHash } from 'node:crypto';
import type { ImageLayout, ImageRecipe, RunPlan } from '../plan.ts';
import type {
  PrepareResult,
  RunResult,
  RunSinks,
  Runtime,
  RuntimeFailure,
  RuntimeProbe,
} from '../runtime.ts';
import { chooseIdentity, type HostIdentity } from './host/identity.ts';
import { PhaseClock } from '../phaseClock.ts';
import { chooseTemporaryFolder, sweepRunFolders } from './runFolder.ts';
import { hostFailure, noIdentity } from './host/sandboxFailures.ts';
import { findSandboxHost, type HostResult, type SandboxHost, type SandboxOptions } from './sandboxHost.ts';
import { runPlan, probeSandbox, type RunEnvironment } from './sandboxRun.ts';

export type { SandboxOptions } from './sandboxHost.ts';

/** A runtime on bubblewrap 0.6 or later. Looks at the machine when it is first used. */
export function createSandboxRuntime(options: SandboxOptions): Runtime {
  return new SandboxRuntime(options);
}

type Failed = { readonly kind: 'failed'; readonly failure: RuntimeFailure };

class SandboxRuntime implements Runtime {
  readonly kind = 'sandbox';
  readonly #options: SandboxOptions;
  readonly #ending = new AbortController();
  readonly #uidsInUse = new Set<number>();
  readonly #active = new Set<Promise<unknown>>();
  #host: Promise<HostResult> | undefined;
  #swept: Promise<void> | undefined;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  async probe(signal?: AbortSignal): Promise<RuntimeProbe> {
    try {
      const found = await this.#findHost();
      if (found.kind === 'failed') return { available: false, failure: found.failure };
      const { host } = found;
      const result = await this.#use(
        host,
        new PhaseClock({}),
        {},
        signal ?? new AbortController().signal,
        async (place) => {
          const failure = await probeSandbox(place);
          return failure && ({ kind: 'failed', failure } satisfies Failed);
        },
      );
      if (result !== undefined) return { available: false, failure: result.failure };
      return { available: true, name: host.name, where: host.bwrap, platform: host.platform };
    } catch (error) {
      return { available: false, failure: hostFailure(error) };
    }
  }

  /** There is nothing to build; what stands in for an image has an id all the same. */
  async prepare(recipe: ImageRecipe, _sinks: RunSinks, signal: AbortSignal): Promise<PrepareResult> {
    if (signal.aborted) return { kind: 'cancelled' };
    try {
      const found = await this.#findHost();
      if (found.kind === 'failed') return found;
      return { kind: 'prepared', image: { id: imageId(recipe.layout, found.host), buildMs: 0 } };
    } catch (error) {
      return { kind: 'failed', failure: hostFailure(error) };
    }
  }

  async run(plan: RunPlan, sinks: RunSinks, signal: AbortSignal): Promise<RunResult> {
    if (signal.aborted) return { kind: 'cancelled' };
    try {
      const clock = new PhaseClock(sinks);
      clock.enter('resolve');
      const found = await this.#findHost();
      if (found.kind === 'failed') return found;
      const image = imageId(plan.image.layout, found.host);
      return await this.#use(found.host, clock, sinks, signal, (place) => runPlan(plan, image, place));
    } catch (error) {
      return signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', failure: hostFailure(error) };
    }
  }

  /** Stops what still runs and waits until its folders are gone. */
  async dispose(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#active);
  }

  #findHost(): Promise<HostResult> {
    const found = (this.#host ??= findSandboxHost(this.#options));
    // What is missing now may be installed by the next time.
    const forget = (): void => {
      if (this.#host === found) this.#host = undefined;
    };
    void found.then(({ kind }) => kind === 'failed' && forget(), forget);
    return found;
  }

  async #sweep(identity: HostIdentity): Promise<void> {
    const folder = await chooseTemporaryFolder(this.#options.tmpRoot, identity);
    // What cannot be swept now is no reason not to run.
    if (folder !== undefined) await sweepRunFolders(folder).catch(() => undefined);
  }

  /** Gives an action an identity of its own, and an end when this runtime is disposed. */
  async #use<T>(
    host: SandboxHost,
    clock: PhaseClock,
    sinks: RunSinks,
    signal: AbortSignal,
    action: (place: RunEnvironment) => Promise<T>,
  ): Promise<T | Failed> {
    const identity = await chooseIdentity(this.#uidsInUse);
    if (identity === undefined) return { kind: 'failed', failure: noIdentity() };
    this.#uidsInUse.add(identity.uid);
    const either = AbortSignal.any([signal, this.#ending.signal]);
    const options = this.#options;
    this.#swept ??= this.#sweep(identity);
    const running = this.#swept.then(() => action({ host, options, identity, clock, sinks, signal: either }));
    this.#active.add(running);
    try {
      return await running;
    } finally {
      this.#active.delete(running);
      this.#uidsInUse.delete(identity.uid);
    }
  }
}

/** Equal for equal layouts on equal interpreters: all that the sandbox has of an image. */
function imageId(layout: ImageLayout, { interpreter, platform }: SandboxHost): string {
  const { env, ...rest } = layout;
  const parts = [rest, Object.entries(env).sort(), interpreter, platform];
  return `sha256:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
