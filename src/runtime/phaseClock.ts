/** Milliseconds per phase of one run. */
import type { Clocks } from './evidence.ts';
import type { Phase, RunSinks } from './runtime.ts';

/** Exactly one phase is on at a time, from the first `enter` on. */
export class PhaseClock {
  readonly #sinks: RunSinks;
  readonly #clocks: Clocks = {};
  #current: { readonly phase: Phase; readonly since: number } | undefined;

  constructor(sinks: RunSinks) {
    this.#sinks = sinks;
  }

  enter(phase: Phase): void {
    this.#stop();
    this.#current = { phase, since: performance.now() };
    this.#sinks.phase?.(phase);
  }

  /** Moves time from one phase to another, when it is known only later where it was spent. */
  move(from: Phase, to: Phase, ms: number): void {
    this.#clocks[from] = round((this.#clocks[from] ?? 0) - ms);
    this.#clocks[to] = round((this.#clocks[to] ?? 0) + ms);
  }

  /** Ends the current phase. */
  clocks(): Clocks {
    this.#stop();
    return { ...this.#clocks };
  }

  #stop(): void {
    if (!this.#current) return;
    const { phase, since } = this.#current;
    this.#clocks[phase] = round((this.#clocks[phase] ?? 0) + performance.now() - since);
    this.#current = undefined;
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
