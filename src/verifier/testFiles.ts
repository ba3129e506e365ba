/** Where the files of a task's tests lie in the container. */
import type { ContainerPath } from '../task/containerPath.ts';
import type { Task } from '../task/task.ts';

export function testFilesOf({ files }: Pick<Task, 'files'>): ContainerPath[] {
  return [...files.keys()].flatMap((path): ContainerPath[] =>
    path.startsWith('tests/') ? [`/${path}`] : [],
  );
}
