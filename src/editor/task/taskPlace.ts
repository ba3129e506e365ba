/** Where something stands: in the task as shipped, which is read, or in the solution, which is edited. Pure. */
import type { ContainerPath } from '../../task/containerPath.ts';
import { isIn } from '../../task/taskLayout.ts';
import { CONTAINER_TESTS } from '../../verifier/plan/containerLayout.ts';

/** A file of the task by its path in the task, or of the solution by its path in the container. */
export type TaskPlace =
  { readonly in: 'task'; readonly path: string } | { readonly in: 'solution'; readonly path: ContainerPath };

/** The file that a verdict names. */
export function taskPlace(path: ContainerPath): TaskPlace {
  return isIn(CONTAINER_TESTS, path) ? { in: 'task', path: path.slice(1) } : { in: 'solution', path };
}
