/** Chooses the runtime by the settings when a run needs one, and keeps it while they stay the same. */
import { homedir } from 'node:os';
import type { Runtime, RuntimeFailure, RuntimeProbe } from '../../runtime/runtime.ts';
import type { RuntimeChoice, RuntimeRequest } from '../../runtime/chooseRuntime.ts';
import type { RuntimeKind, RequestedKind } from '../../runtime/schemas.ts';
import type { Settings } from '../platform/settings.ts';

export type RuntimeFor =
  | {
      readonly kind: 'chosen';
      readonly runtime: Runtime;
      readonly name: string;
      readonly passedOver: RuntimeFailure | undefined;
    }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

/** Chooses one runtime; replaced in tests. */
export type ChooseRuntime = (wish: RuntimeRequest, signal: AbortSignal) => Promise<RuntimeChoice>;

interface Kept {
  readonly key: string;
  readonly choice: Promise<RuntimeChoice>;
}

export class Runtimes {
  readonly #ownerSuffix: string;
  readonly #chooseRuntime: ChooseRuntime;
  #kept: Kept | undefined;
  /** The key of the last choice that failed or was only second best. */
  #lastUnmet: string | undefined;

  /** `ownerSuffix` is unique to this window, so that no window touches another's containers. */
  constructor(ownerSuffix: string, choose: ChooseRuntime = chooseOnThisMachine) {
    this.#ownerSuffix = ownerSuffix;
    this.#chooseRuntime = choose;
  }

  /**
   * The runtime that `settings` ask for; one that other settings asked for ends first. A choice that failed or was only
   * second best is made anew the next time.
   */
  async choose(settings: Settings, signal: AbortSignal): Promise<RuntimeFor> {
    for (;;) {
      const kept = this.#keep(settings, signal);
      const choice = await kept.choice.catch((error: unknown) => {
        this.#forget(kept);
        throw error;
      });
      if (isFirstChoice(choice)) {
        this.#lastUnmet = undefined;
        return runtimeFor(choice);
      }
      this.#forget(kept);
      if (choice.kind !== 'cancelled') {
        this.#lastUnmet = kept.key;
        return runtimeFor(choice);
      }
      // The caller that began this choice gave up; this caller, which waited for the same one, did not.
      if (signal.aborted) return choice;
    }
  }

  /**
   * The runtime that `settings` ask for, for work that nobody waits for. Undefined where it would end another runtime,
   * and where the last choice failed or was only second best.
   */
  async spare(settings: Settings): Promise<Runtime | undefined> {
    const key = keyOf(this.wish(settings, settings.runtime));
    if (this.#kept ? this.#kept.key !== key : this.#lastUnmet === key) return undefined;
    // A run may wait for the same choice, so this is never aborted.
    const chosen = await this.choose(settings, new AbortController().signal);
    return chosen.kind === 'chosen' ? chosen.runtime : undefined;
  }

  /** Throws away the container that was started ahead; the runtime itself stays. */
  async coolDown(): Promise<void> {
    const choice = await this.#kept?.choice;
    if (choice?.kind === 'chosen') await choice.runtime.coolDown?.();
  }

  /** Asks whether a runtime could be used here; for a person who is about to choose. */
  async probe(settings: Settings, kind: RuntimeKind): Promise<RuntimeProbe> {
    const { makeRuntime } = await import('../../runtime/chooseRuntime.ts');
    const runtime = await makeRuntime(kind, this.wish(settings, kind));
    try {
      return await runtime.probe();
    } finally {
      await runtime.dispose();
    }
  }

  async dispose(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    await end(kept);
  }

  /** What `settings` ask for, in the words of `chooseRuntime`. */
  wish(settings: Settings, kind: RequestedKind): RuntimeRequest {
    return {
      kind,
      ownerSuffix: this.#ownerSuffix,
      env: process.env,
      home: homedir(),
      platform: process.platform,
      imageMap: settings.images,
      dockerEndpoint: settings.dockerEndpoint,
    };
  }

  /** Sets the choice at once, so that a second caller finds the choice of the first. */
  #keep(settings: Settings, signal: AbortSignal): Kept {
    const wish = this.wish(settings, settings.runtime);
    const key = keyOf(wish);
    const former = this.#kept;
    if (former?.key === key) return former;
    const kept = { key, choice: end(former).then(() => this.#chooseRuntime(wish, signal)) };
    this.#kept = kept;
    return kept;
  }

  #forget(kept: Kept): void {
    if (this.#kept === kept) this.#kept = undefined;
  }
}

async function chooseOnThisMachine(wish: RuntimeRequest, signal: AbortSignal): Promise<RuntimeChoice> {
  const { chooseRuntime } = await import('../../runtime/chooseRuntime.ts');
  return chooseRuntime(wish, signal);
}

function keyOf({ kind, dockerEndpoint, imageMap }: RuntimeRequest): string {
  return JSON.stringify([kind, dockerEndpoint, imageMap]);
}

async function end(kept: Kept | undefined): Promise<void> {
  const choice = await kept?.choice;
  if (choice?.kind === 'chosen') await choice.runtime.dispose();
}

function isFirstChoice(choice: RuntimeChoice): boolean {
  return choice.kind === 'chosen' && choice.passedOver === undefined;
}

function runtimeFor(choice: RuntimeChoice): RuntimeFor {
  if (choice.kind !== 'chosen') return choice;
  const { runtime, probe, passedOver } = choice;
  return { kind: 'chosen', runtime, name: probe.name, passedOver };
}
