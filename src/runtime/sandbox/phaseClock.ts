// Milliseconds per phase of one run, and the phase that is on.
import type { Clocks } from '../evidence.ts';
import type { Phase, RunSinks } from '../runtime.ts';

export class PhaseClock {
  readonly #sinks: RunSinks;
  readonly #clocks: Clocks = {};
  #current: { readonly phase: Phase; readonly since: number } | undefined;

  constructor(sinks: RunSinks) {
    this.#sinks = sinks;
  }

  /** Ends the phase before and begins this one; time adds up when a phase comes again. */
  enter(phase: Phase): void {
    this.#settle();
    this.#current = { phase, since: performance.now() };
    this.#sinks.phase?.(phase);
  }

  /** Ends the last phase and gives all of them. */
  finish(): Clocks {
    this.#settle();
    this.#current = undefined;
    return { ...this.#clocks };
  }

  #settle(): void {
    if (this.#current === undefined) return;
    const { phase, since } = this.#current;
    this.#clocks[phase] = Math.round(((this.#clocks[phase] ?? 0) + performance.now() - since) * 10) / 10;
  }
}
