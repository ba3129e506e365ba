/** The runtime that runs verifiers in containers of a Docker engine, or of Podman's Docker API. */
import type { ImageRecipe, RunPlan } from '../plan.ts';
import type {
  AttachedSinks,
  PreparedImage,
  PrepareResult,
  RunResult,
  RunSinks,
  Runtime,
  RuntimeFailure,
  RuntimeProbe,
  ShellResult,
  ShellSinks,
} from '../runtime.ts';
import type { BuildNetwork } from './image/build.ts';
import { connect, sourcesOf, type Engine, type EngineLocation } from './engine/connection.ts';
import type { EndpointSources } from './engine/endpoint.ts';
import { Cancelled, failureOf, isConnectionLost } from './engine/failures.ts';
import { ImageFacts } from './image/imageFacts.ts';
import type { ImageMap } from './image/imageMap.ts';
import { isOwnerAlive } from '../owner.ts';
import { PhaseClock } from '../phaseClock.ts';
import { findImage, prepareImage } from './image/prepare.ts';
import { Removals } from './container/removals.ts';
import { runByExec } from './run/execRun.ts';
import { runFastest, runInContainer } from './run/run.ts';
import type { RunContext } from './run/runContext.ts';
import { SharedJobs } from './image/sharedJobs.ts';
import { shellInContainer } from './run/shell.ts';
import { sweepContainers } from './container/sweep.ts';
import { WarmPool } from './run/warmPool.ts';

const LONGEST_WAIT_MS = 10 * 60 * 1000;
const CANCELLED = { kind: 'cancelled' } as const;

export interface DockerRuntimeOptions extends EngineLocation {
  /** Unique id of this window or process; `ownerOfThisProcess` makes one. */
  readonly owner: string;
  /** Base-image substitution: `python:3.10-slim` → `mirror/python:3.10-slim`. */
  readonly imageMap: ImageMap;
  /** `none` for engines without a bridge and people who want builds offline; the default is the engine's own. */
  readonly buildNetwork?: BuildNetwork;
  /** Whose containers the first use removes; the default knows owners made by `ownerOfThisProcess`. */
  readonly isOwnerAlive?: (owner: string) => boolean;
  /** Milliseconds after which a container that was started ahead is thrown away; the default is ten minutes. */
  readonly longestWaitMs?: number;
}

/** Makes the runtime; nothing is asked of an engine before the first call. */
export function createDockerRuntime(options: DockerRuntimeOptions): Runtime {
  return new DockerRuntime(options);
}

class DockerRuntime implements Runtime {
  readonly kind = 'docker';
  readonly #options: DockerRuntimeOptions;
  readonly #sources: EndpointSources;
  readonly #jobs = new SharedJobs<void>();
  readonly #facts = new Map<string, ImageFacts>();
  readonly #removals = new Removals();
  readonly #warm: WarmPool;
  #engine: Engine | undefined;

  constructor(options: DockerRuntimeOptions) {
    this.#options = options;
    this.#warm = new WarmPool(options.longestWaitMs ?? LONGEST_WAIT_MS, this.#removals);
    this.#sources = sourcesOf(options);
  }

  async probe(signal?: AbortSignal): Promise<RuntimeProbe> {
    try {
      const { name, where, platform } = await connect(this.#sources, signal);
      return { available: true, name, where, platform };
    } catch (error) {
      return { available: false, failure: this.#failure(error, 'being asked what it is') };
    }
  }

  async prepare(recipe: ImageRecipe, sinks: RunSinks, signal: AbortSignal): Promise<PrepareResult> {
    return this.#outcome('preparing the image', signal, async () => {
      const phases = new PhaseClock(sinks);
      phases.enter('resolve');
      const { image } = await this.#prepare(recipe, phases, sinks, signal);
      return { kind: 'prepared', image };
    });
  }

  async run(plan: RunPlan, sinks: RunSinks, signal: AbortSignal): Promise<RunResult> {
    return this.#outcome('running the verifier', signal, async () => {
      const context = await this.#contextOf(plan, sinks, signal);
      const warm = this.#warm.acquire(context);
      return { kind: 'ended', evidence: await runInContainer(context, () => runFastest(context, warm)) };
    });
  }

  async runAttached(plan: RunPlan, sinks: AttachedSinks, signal: AbortSignal): Promise<RunResult> {
    return this.#outcome('running the verifier', signal, async () => {
      const context = await this.#contextOf(plan, sinks, signal);
      return { kind: 'ended', evidence: await runInContainer(context, () => runByExec(context, sinks)) };
    });
  }

  async openShell(plan: RunPlan, sinks: ShellSinks, signal: AbortSignal): Promise<ShellResult> {
    return this.#outcome('opening a shell', signal, async () => {
      await shellInContainer(await this.#contextOf(plan, sinks, signal), sinks);
      return signal.aborted ? CANCELLED : { kind: 'ended' };
    });
  }

  async warmUp(plan: RunPlan, signal: AbortSignal): Promise<boolean> {
    try {
      const engine = await this.#connect(signal);
      const image = await findImage({ engine, images: this.#options.imageMap, signal }, plan.image);
      if (image === undefined) return false;
      return await this.#warm.warm(this.#contextIn(engine, plan, image, new PhaseClock({}), signal));
    } catch (error) {
      // Only a run reports failures.
      this.#failure(error, 'starting a container ahead');
      return false;
    }
  }

  async coolDown(): Promise<void> {
    await this.#warm.cool();
    await this.#removals.settle();
  }

  async dispose(): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    await this.#warm.dispose();
    await this.#removals.settle();
    if (!engine) return;
    await sweepContainers(engine.docker, (owner) => owner === this.#options.owner).catch(() => undefined);
  }

  /** With the image ready, and connected to the engine that has it. */
  async #contextOf(plan: RunPlan, sinks: RunSinks, signal: AbortSignal): Promise<RunContext> {
    const phases = new PhaseClock(sinks);
    phases.enter('resolve');
    const { engine, image } = await this.#prepare(plan.image, phases, sinks, signal);
    return this.#contextIn(engine, plan, image.id, phases, signal);
  }

  /** Tries once more when the engine it knows has gone since, as it may be back or elsewhere. */
  async #prepare(
    recipe: ImageRecipe,
    phases: PhaseClock,
    sinks: RunSinks,
    signal: AbortSignal,
  ): Promise<{ engine: Engine; image: PreparedImage }> {
    const known = this.#engine !== undefined;
    try {
      return await this.#prepareOnce(recipe, phases, sinks, signal);
    } catch (error) {
      if (!known || !isConnectionLost(error)) throw error;
      this.#engine = undefined;
      return this.#prepareOnce(recipe, phases, sinks, signal);
    }
  }

  async #prepareOnce(
    recipe: ImageRecipe,
    phases: PhaseClock,
    sinks: RunSinks,
    signal: AbortSignal,
  ): Promise<{ engine: Engine; image: PreparedImage }> {
    const engine = await this.#connect(signal);
    const image = await prepareImage(
      {
        engine,
        images: this.#options.imageMap,
        buildNetwork: this.#options.buildNetwork ?? 'default',
        jobs: this.#jobs,
        log: (line) => sinks.log?.(line),
        started: () => phases.enter('build'),
        signal,
      },
      recipe,
    );
    return { engine, image };
  }

  async #connect(signal: AbortSignal): Promise<Engine> {
    if (this.#engine) return this.#engine;
    const engine = await connect(this.#sources, signal);
    this.#engine = engine;
    const { owner, isOwnerAlive: isAlive = isOwnerAlive } = this.#options;
    await sweepContainers(engine.docker, (other) => other !== owner && !isAlive(other)).catch(
      () => undefined,
    );
    return engine;
  }

  #contextIn(
    engine: Engine,
    plan: RunPlan,
    image: string,
    phases: PhaseClock,
    signal: AbortSignal,
  ): RunContext {
    const { owner } = this.#options;
    const facts = this.#factsOf(image);
    this.#removals.retry(engine.docker);
    return { engine, owner, plan, image, facts, phases, signal, removals: this.#removals };
  }

  #factsOf(image: string): ImageFacts {
    const facts = this.#facts.get(image) ?? new ImageFacts();
    this.#facts.set(image, facts);
    return facts;
  }

  /** The result of `work`, also when it was cancelled or failed; `what` completes "… failed while". */
  async #outcome<Result>(
    what: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result | typeof CANCELLED | { readonly kind: 'failed'; readonly failure: RuntimeFailure }> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Cancelled || signal.aborted) return CANCELLED;
      return { kind: 'failed', failure: this.#failure(error, what) };
    }
  }

  #failure(error: unknown, what: string): RuntimeFailure {
    const failure = failureOf(error, what);
    if (failure.reason === 'engine-died') this.#engine = undefined;
    return failure;
  }
}
