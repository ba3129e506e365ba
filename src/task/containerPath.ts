/**
 * Paths inside a container: always POSIX, always absolute, whatever the host is.
 * Host paths never have this type; they go through `node:path`.
 */
import { posix } from 'node:path';

/** An absolute POSIX path inside a container, such as `/app/solution.py`. */
export type ContainerPath = `/${string}`;

/** Whether `text` is an absolute POSIX path. */
export function isContainerPath(text: string): text is ContainerPath {
  return text.startsWith('/');
}

/** Resolves `path` against `base` the way a container's shell would; `..` cannot leave `/`. */
export function resolveContainerPath(base: ContainerPath, path: string): ContainerPath {
  const resolved = posix.resolve(base, path);
  return isContainerPath(resolved) ? resolved : `/${resolved}`;
}

/** The last name of a container path: `solution.py` of `/app/solution.py`. */
export function containerBasename(path: ContainerPath): string {
  return posix.basename(path);
}
