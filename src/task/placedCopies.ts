/** Files that a Dockerfile puts in the image more than once: one to edit, the others to compare with. */
import type { ContainerPath } from './containerPath.ts';
import type { PlacedFile } from './expandCopies.ts';

/** Where else the Dockerfile puts the same file of the build context. */
export function copiesOf(one: PlacedFile, placed: readonly PlacedFile[]): readonly ContainerPath[] {
  return placed
    .filter((other) => other.file.path === one.file.path && other.path !== one.path)
    .map((other) => other.path);
}
