/** From a task's files to a `Task`: instruction, configuration, Dockerfile, family, gold and problems. */
import type { Task, TaskFiles } from './task.ts';

/** Parses a task. Pure, never throws: what is wrong with the task is in `problems`. */
export function parseTask(_id: string, _files: TaskFiles): Task {
  throw new Error('not written yet');
}
