/** A task as `--json` and the header show it. */
import type { Task } from '../../task/task.ts';
import type { TaskDocument } from './jsonDocuments.ts';

export function taskDocument(task: Task): TaskDocument {
  return {
    id: task.id,
    family: task.family.name,
    shape: task.family.shape ?? null,
    hash: task.hash,
    image: task.config.environment.dockerImage ?? task.dockerfile?.baseImage ?? null,
    gold: task.gold.kind,
    problems: [...task.problems],
  };
}
