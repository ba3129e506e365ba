/** Remembers by key what was drawn last, so that nothing is redrawn that would look the same. */

export class LastDrawn<Key> {
  readonly #prints = new Map<Key, string>();

  /** Whether `value` differs from that of the last call for `key`. Values are compared as JSON. */
  changed(key: Key, value: unknown): boolean {
    const print = JSON.stringify(value) ?? 'undefined';
    if (this.#prints.get(key) === print) return false;
    this.#prints.set(key, print);
    return true;
  }

  /** The next value for `key` counts as changed, whatever it is. */
  forget(key: Key): void {
    this.#prints.delete(key);
  }
}
