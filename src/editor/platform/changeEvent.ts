/** A small event that needs no VS Code, so that what fires it can be tested without one. */

export type Listener<T> = (value: T) => void;

export class ChangeEvent<T> {
  readonly #listeners = new Set<Listener<T>>();

  /** Subscribes until the returned value is disposed. */
  readonly on = (listener: Listener<T>): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  /** Calls every listener, also when one of them throws. */
  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
