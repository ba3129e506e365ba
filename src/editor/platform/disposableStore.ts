/** Owns what must be disposed. What is added after the store was disposed is disposed at once, so nothing leaks late. */
import type { Disposable } from 'vscode';

/** Something with an end. */
export interface Ending {
  dispose(): unknown;
}

export class DisposableStore implements Disposable {
  readonly #owned = new Set<Ending>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** Takes ownership and gives `owned` back. */
  add<T extends Ending>(owned: T): T {
    if (this.#disposed) void owned.dispose();
    else this.#owned.add(owned);
    return owned;
  }

  /** Ends `owned` before the store ends. */
  end(owned: Ending): void {
    if (this.#owned.delete(owned)) void owned.dispose();
  }

  /** Disposes everything, the latest first. Safe to call twice. */
  dispose(): void {
    this.#disposed = true;
    const latestFirst = [...this.#owned].reverse();
    this.#owned.clear();
    for (const owned of latestFirst) void owned.dispose();
  }
}
