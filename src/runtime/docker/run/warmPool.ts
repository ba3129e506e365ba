/**
 * Keeps one container ready for the next run. It is used once, or removed: when it ends by itself, when the engine is
 * gone, when it does not fit the plan, and when it has waited too long. Errors here only cost time: the run then makes
 * its own container.
 */
import { timerMs } from '../../timers.ts';
import type { Removals } from '../container/removals.ts';
import type { RunContext } from './runContext.ts';
import { SharedJobs } from '../image/sharedJobs.ts';
import { keptPaths } from '../container/upload.ts';
import { canBeWarm, createWarm, purposeOf, warmKey, type WarmContainer } from './warmContainer.ts';

/** The container that should be ready; a request for another one aborts it. */
interface Request {
  readonly key: string;
  readonly giveUp: AbortController;
}

export class WarmPool {
  readonly #longestWaitMs: number;
  readonly #removals: Removals;
  /** Images and users that cannot wait; an image's id is the hash of its content. */
  readonly #unable = new Set<string>();
  readonly #makings = new SharedJobs<boolean>();
  #request: Request | undefined;
  /** Settles when all makings so far have ended, as there is never more than one container. */
  #settled: Promise<unknown> = Promise.resolve();
  #ready: WarmContainer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(longestWaitMs: number, removals: Removals) {
    this.#longestWaitMs = longestWaitMs;
    this.#removals = removals;
  }

  /** Makes a container for such a plan, unless one waits already. Settles with whether one waits. Never throws. */
  async warm(context: RunContext): Promise<boolean> {
    const { image, plan, signal } = context;
    if (this.#disposed) return false;
    const key = warmKey(context);
    const unable = JSON.stringify([image, plan.verifier.user]);
    if (signal.aborted || !canBeWarm(context) || this.#unable.has(unable)) return false;
    if (this.#isUsable(context, key)) return true;
    const wanted = this.#replaceRequest(key);
    const make = (_log: unknown, given: AbortSignal): Promise<boolean> =>
      this.#make({ ...context, signal: AbortSignal.any([given, wanted]) }, unable);
    const made = this.#makings.join(key, make, () => undefined, AbortSignal.any([signal, wanted]));
    return made.catch(() => false);
  }

  /** Hands the waiting container to the caller, if it is the one that this run would make. */
  acquire(context: RunContext): WarmContainer | undefined {
    const { plan, facts } = context;
    if (!canBeWarm(context) || !facts.knowsIdentities(keptPaths(plan.verifier.files))) return undefined;
    const warm = this.#ready;
    // A run of another verifier does not use it.
    if (warm?.purpose !== purposeOf(context)) return undefined;
    if (!this.#isUsable(context, warmKey(context))) {
      this.#discard();
      return undefined;
    }
    this.#clear();
    return warm;
  }

  /** Removes the container that waits or is being made. */
  async cool(): Promise<void> {
    this.#request?.giveUp.abort();
    this.#discard();
    await this.#settled;
  }

  /** The same for good. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.cool();
  }

  /** Registers a request; its signal aborts when another one replaces it. */
  #replaceRequest(key: string): AbortSignal {
    if (this.#request?.key === key && !this.#request.giveUp.signal.aborted)
      return this.#request.giveUp.signal;
    this.#request?.giveUp.abort();
    this.#request = { key, giveUp: new AbortController() };
    return this.#request.giveUp.signal;
  }

  #make(context: RunContext, unable: string): Promise<boolean> {
    this.#discard();
    const making = this.#settled.then(async () => {
      const made = await createWarm(context);
      if (made.kind === 'unable') this.#unable.add(unable);
      return made.kind === 'waits' && this.#keep(made.warm, context.signal);
    });
    this.#settled = making.catch(() => undefined);
    return making;
  }

  #keep(warm: WarmContainer, signal: AbortSignal): boolean {
    this.#discard();
    if (signal.aborted) {
      this.#remove(warm);
      return false;
    }
    this.#ready = warm;
    // A timer and the engine's own report end the wait; nothing is polled.
    this.#timer = setTimeout(() => {
      this.#discard();
    }, timerMs(this.#longestWaitMs)).unref();
    const ended = (): void => {
      if (this.#ready === warm) this.#discard();
    };
    warm.exit.then(ended, ended);
    return true;
  }

  #isUsable(context: RunContext, key: string): boolean {
    const age = this.#ready?.age;
    if (age === undefined || age > this.#longestWaitMs) return false;
    return this.#ready?.key === key && this.#ready.engine === context.engine;
  }

  #discard(): void {
    const warm = this.#ready;
    this.#clear();
    if (warm) this.#remove(warm);
  }

  #remove(warm: WarmContainer): void {
    const { container, output } = warm;
    output.close();
    this.#removals.add(container);
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#ready = undefined;
  }
}
