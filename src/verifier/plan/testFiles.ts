/** Where the files of a task's tests lie in the container. */
import type { ContainerPath } from '../../task/containerPath.ts';
import type { Task } from '../../task/task.ts';
import { inContainer, isIn, TESTS_FOLDER } from '../../task/taskLayout.ts';

export function testFilesOf({ files }: Pick<Task, 'files'>): ContainerPath[] {
  return [...files.keys()].filter((path) => isIn(TESTS_FOLDER, path)).map(inContainer);
}
