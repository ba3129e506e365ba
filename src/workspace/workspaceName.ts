/** The name of a task's workspace folder: the same for the same row with the same bytes, on every system. */
import { createHash } from 'node:crypto';
import type { Task } from '../task/task.ts';
import { isReservedName } from './hostNames.ts';
import type { WorkspaceOrigin } from './workspaceFile.ts';

const MOST_CHARACTERS = 60;

/** Such as `bugsinpy-0001-4f3c92ab`: the readable part is for people, the hex digits are unique to the row. */
export function workspaceName(task: Pick<Task, 'id' | 'hash'>, origin: WorkspaceOrigin): string {
  // Only the dataset's last name counts: one that was moved, or seen from another system, has the same workspaces.
  const dataset = /[^/\\]*(?=[/\\]*$)/.exec(origin.dataset)?.[0] ?? '';
  const key = `${dataset}\0${origin.row}\0${task.hash}`;
  return `${readableName(task.id)}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}

function readableName(id: string): string {
  const plain = id
    .replace(/\.(tar\.gz|tgz|tar)$/i, '')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, MOST_CHARACTERS)
    .replace(/^[-.]+|[-.]+$/g, '');
  if (plain === '') return 'task';
  return isReservedName(plain) ? `task-${plain}` : plain;
}
