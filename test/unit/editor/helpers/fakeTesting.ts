// A test controller without VS Code: it keeps items, and its runs take whatever they are told.
import { EventEmitter, type Uri } from './fakeValues.ts';

interface Item {
  readonly id: string;
  readonly uri: Uri | undefined;
  readonly children: Items;
  label: string;
}

/** Items by their id. */
class Items {
  readonly #items = new Map<string, Item>();

  get size(): number {
    return this.#items.size;
  }

  get(id: string): Item | undefined {
    return this.#items.get(id);
  }

  add(item: Item): void {
    this.#items.set(item.id, item);
  }

  delete(id: string): void {
    this.#items.delete(id);
  }

  forEach(each: (item: Item) => void): void {
    this.#items.forEach(each);
  }
}

export function createTestController() {
  return {
    items: new Items(),
    createTestItem: (id: string, label: string, uri?: Uri): Item => ({
      id,
      label,
      uri,
      children: new Items(),
    }),
    createRunProfile: () => ({ dispose: () => undefined }),
    createTestRun: (_request: unknown, name?: string) => {
      const heard = (): undefined => undefined;
      return {
        name,
        token: { isCancellationRequested: false, onCancellationRequested: new EventEmitter<void>().event },
        enqueued: heard,
        started: heard,
        passed: heard,
        failed: heard,
        errored: heard,
        skipped: heard,
        appendOutput: heard,
        end: heard,
      };
    },
    invalidateTestResults: () => undefined,
    dispose: () => undefined,
  };
}
