/** The runtime that runs go to: chosen by the settings when a run needs it, kept while they stay the same. */
import { homedir } from 'node:os';
import type { Runtime, RuntimeFailure, RuntimeProbe } from '../runtime/runtime.ts';
import type { RuntimeChoice, RuntimeWish } from '../runtime/chooseRuntime.ts';
import type { RuntimeChoice as ChosenKind, Settings } from './settings.ts';

export type RuntimeFor =
  | {
      readonly kind: 'chosen';
      readonly runtime: Runtime;
      readonly name: string;
      readonly passedOver: RuntimeFailure | undefined;
    }
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

interface Kept {
  readonly key: string;
  readonly choice: Promise<RuntimeChoice>;
}

export class Runtimes {
  readonly #ownerSuffix: string;
  #kept: Kept | undefined;

  /** `ownerSuffix` tells this window from others, so that none touches another's containers. */
  constructor(ownerSuffix: string) {
    this.#ownerSuffix = ownerSuffix;
  }

  /** The runtime that `settings` ask for. What failed, or was only second best, is tried again the next time. */
  async choose(settings: Settings, signal: AbortSignal): Promise<RuntimeFor> {
    const { chooseRuntime } = await import('../runtime/chooseRuntime.ts');
    const wish = this.wish(settings, settings.runtime);
    const key = JSON.stringify([wish.kind, wish.dockerEndpoint, wish.imageMap]);
    if (this.#kept?.key !== key) {
      await this.dispose();
      this.#kept = { key, choice: chooseRuntime(wish, signal) };
    }
    const kept = this.#kept;
    const choice = await kept.choice;
    if (choice.kind === 'chosen' && choice.passedOver === undefined)
      return { kind: 'chosen', runtime: choice.runtime, name: choice.probe.name, passedOver: undefined };
    if (this.#kept === kept) this.#kept = undefined;
    if (choice.kind !== 'chosen') return choice;
    return {
      kind: 'chosen',
      runtime: choice.runtime,
      name: choice.probe.name,
      passedOver: choice.passedOver,
    };
  }

  /** Asks whether a runtime could be used here; for a person who is about to choose. */
  async probe(settings: Settings, kind: Exclude<ChosenKind, 'auto'>): Promise<RuntimeProbe> {
    const { makeRuntime } = await import('../runtime/chooseRuntime.ts');
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
    const choice = await kept?.choice;
    if (choice?.kind === 'chosen') await choice.runtime.dispose();
  }

  /** What `settings` ask for, as the runtimes are told it. */
  wish(settings: Settings, kind: ChosenKind): RuntimeWish {
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
}
