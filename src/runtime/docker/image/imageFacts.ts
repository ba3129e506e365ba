/** Facts about an image's file system, read once per image from a container that a run makes anyway. */
import type Docker from 'dockerode';
import { hasContent, readIdentities, type FileIdentity } from '../container/upload.ts';

/** Facts hold for good: an image's id is the hash of its content. */
export class ImageFacts {
  readonly #withContent = new Map<string, boolean>();
  readonly #identities = new Map<string, FileIdentity | undefined>();

  /** Which of `paths` hold something in the image. `container` must be fresh: never started, nothing uploaded. */
  async withContent(container: Docker.Container, paths: readonly string[]): Promise<string[]> {
    await Promise.all(
      paths.map(async (path) => {
        if (!this.#withContent.has(path)) this.#withContent.set(path, await hasContent(container, path));
      }),
    );
    return paths.filter((path) => this.#withContent.get(path));
  }

  /** What is known without a container; undefined when something is not known yet. */
  knownContent(paths: readonly string[]): string[] | undefined {
    if (!paths.every((path) => this.#withContent.has(path))) return undefined;
    return paths.filter((path) => this.#withContent.get(path));
  }

  /** Owners and modes of files in the image. `container` must be fresh. */
  async identities(
    container: Docker.Container,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, FileIdentity | undefined>> {
    const unknown = paths.filter((path) => !this.#identities.has(path));
    const found = await readIdentities(container, unknown);
    for (const [path, identity] of found) this.#identities.set(path, identity);
    return this.#identities;
  }

  /** Whether {@link identities} can tell without a container. */
  knowsIdentities(paths: readonly string[]): boolean {
    return paths.every((path) => this.#identities.has(path));
  }
}
