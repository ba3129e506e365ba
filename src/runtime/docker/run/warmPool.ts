/**
 * The one container that a runtime keeps ready for its next run. It is used once or thrown away: when it ends by itself,
 * when the engine is gone, when it is no longer what the plan asks for, and when it has waited for too long.
 * What goes wrong here costs time and nothing else: the run then makes its container itself.
 */
import { timerMs } from '../../timers.ts';
import type { Removals } from '../container/removals.ts';
import type { RunContext } from './runContext.ts';
import { SharedJobs } from '../image/sharedJobs.ts';
import { keptPaths } from '../container/upload.ts';
import { canBeWarm, makeWarm, purposeOf, warmKey, type WarmContainer } from './warmContainer.ts';

/** What is wanted ready; whoever wants something else gives it up. */
interface Wish {
  readonly key: string;
  readonly giveUp: AbortController;
}

export class WarmPool {
  readonly #longestWaitMs: number;
  readonly #removals: Removals;
  /** Images and users that cannot wait; an image's id is the hash of its content. */
  readonly #unable = new Set<string>();
  readonly #makings = new SharedJobs<boolean>();
  #wish: Wish | undefined;
  /** Settles when all makings so far have ended, as there is never more than one container. */
  #made: Promise<unknown> = Promise.resolve();
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
    if (this.#isFit(context, key)) return true;
    const wanted = this.#want(key);
    const make = (_log: unknown, given: AbortSignal): Promise<boolean> =>
      this.#make({ ...context, signal: AbortSignal.any([given, wanted]) }, unable);
    const made = this.#makings.join(key, make, () => undefined, AbortSignal.any([signal, wanted]));
    return made.catch(() => false);
  }

  /** Gives out the container that waits, if it is the one that this run would make. It is the caller's from then on. */
  take(context: RunContext): WarmContainer | undefined {
    const { plan, facts } = context;
    if (!canBeWarm(context) || !facts.knowsIdentities(keptPaths(plan.verifier.files))) return undefined;
    const warm = this.#ready;
    // A run of another verifier leaves it alone.
    if (warm?.purpose !== purposeOf(context)) return undefined;
    if (!this.#isFit(context, warmKey(context))) {
      this.#discard();
      return undefined;
    }
    this.#forget();
    return warm;
  }

  /** Throws away what waits or is being made. */
  async cool(): Promise<void> {
    this.#wish?.giveUp.abort();
    this.#discard();
    await this.#made;
  }

  /** The same for good. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.cool();
  }

  /** Aborts when something else is wanted, or nothing any more. */
  #want(key: string): AbortSignal {
    if (this.#wish?.key === key && !this.#wish.giveUp.signal.aborted) return this.#wish.giveUp.signal;
    this.#wish?.giveUp.abort();
    this.#wish = { key, giveUp: new AbortController() };
    return this.#wish.giveUp.signal;
  }

  #make(context: RunContext, unable: string): Promise<boolean> {
    this.#discard();
    const making = this.#made.then(async () => {
      const made = await makeWarm(context);
      if (made.kind === 'unable') this.#unable.add(unable);
      return made.kind === 'waits' && this.#keep(made.warm, context.signal);
    });
    this.#made = making.catch(() => undefined);
    return making;
  }

  #keep(warm: WarmContainer, signal: AbortSignal): boolean {
    this.#discard();
    if (signal.aborted) {
      this.#remove(warm);
      return false;
    }
    this.#ready = warm;
    // Nothing is asked while it waits: the clock and the engine say when it is over.
    this.#timer = setTimeout(() => {
      this.#discard();
    }, timerMs(this.#longestWaitMs)).unref();
    const ended = (): void => {
      if (this.#ready === warm) this.#discard();
    };
    warm.exit.then(ended, ended);
    return true;
  }

  #isFit(context: RunContext, key: string): boolean {
    const age = this.#ready?.age;
    if (age === undefined || age > this.#longestWaitMs) return false;
    return this.#ready?.key === key && this.#ready.engine === context.engine;
  }

  #discard(): void {
    const warm = this.#ready;
    this.#forget();
    if (warm) this.#remove(warm);
  }

  #remove(warm: WarmContainer): void {
    const { container, output } = warm;
    output.close();
    this.#removals.add(container);
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#ready = undefined;
  }
}
