/** Removes ended containers in the background; the runtime waits for them when it ends. */
import type Docker from 'dockerode';
import { removeContainer } from './container.ts';

export class Removals {
  readonly #pending = new Set<Promise<unknown>>();
  /** Containers whose engine was gone when they should have been removed. */
  readonly #lost = new Set<string>();

  /** Removes a container in the background; one that cannot be removed is left to the next sweep. */
  add(container: Docker.Container): void {
    const settled = this.remove(container)
      .catch(() => undefined)
      .finally(() => {
        this.#pending.delete(settled);
      });
    this.#pending.add(settled);
  }

  /** Removes a container at once; when its engine is gone, {@link retry} does it. @throws what the engine answers. */
  async remove(container: Docker.Container): Promise<void> {
    if (!(await removeContainer(container))) this.#lost.add(container.id);
  }

  /** Removes the containers of an engine that answers again. */
  retry(docker: Docker): void {
    const lost = [...this.#lost];
    this.#lost.clear();
    for (const id of lost) this.add(docker.getContainer(id));
  }

  /** Resolves when all removals so far have ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
  }
}
