/** Finds what a verifier may compare a solution with: other copies of its starter in the image, and files with its hash. */
import type { ContainerPath } from '../containerPath.ts';
import type { PlacedFile, TaskFiles } from '../task.ts';
import { inContainer, isIn, TESTS_FOLDER } from '../taskLayout.ts';

/** Other container paths at which the Dockerfile puts the same file of the build context. */
export function copiesOf(one: PlacedFile, placed: readonly PlacedFile[]): readonly ContainerPath[] {
  return placed
    .filter((other) => other.file.path === one.file.path && other.path !== one.path)
    .map((other) => other.path);
}

const HASH_NAME = /sha256|sha1|md5|pristine|baseline|checksum/i;

/** Files of the tests whose names say that they hold the hash of a file, or the file as it was. */
export function hashPathsIn(files: TaskFiles): readonly ContainerPath[] {
  return [...files.keys()]
    .filter((path) => isIn(TESTS_FOLDER, path) && HASH_NAME.test(path))
    .map(inContainer);
}
