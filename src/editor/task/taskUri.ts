/**
 * Addresses of read-only task files: `repair-bench://<workspace folder, hex>/<task>/<path>`.
 * The authority names the workspace, so that an address still works after the window was loaded again;
 * hex, because authorities are compared without case. Places name a file of a task or of its solution.
 */
import type * as vscode from 'vscode';
import type { ContainerPath } from '../../task/containerPath.ts';
import { isIn } from '../../task/taskLayout.ts';
import { CONTAINER_TESTS } from '../../verifier/plan/containerLayout.ts';
import type { OpenTask } from './openTask.ts';

export const TASK_SCHEME = 'repair-bench';
/** The folder of a task's addresses that holds its starters, by container path. */
export const STARTER_FOLDER = '~starter';
/** The same with the starter's own bytes: VS Code reads the original of gutter marks in the encoding of the edited file. */
export const STARTER_BYTES_FOLDER = '~starter-bytes';

export interface TaskAddress {
  /** Host path of the workspace. */
  readonly folder: string;
  /** Path in the task, such as `tests/test.sh`; empty for its root. */
  readonly path: string;
}

/** The parts of a URI, as `Uri.from` takes them. */
export interface TaskUriParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

export function taskUriParts(folder: string, taskId: string, path: string): TaskUriParts {
  const name = taskId.replaceAll('/', '-');
  return {
    scheme: TASK_SCHEME,
    authority: authorityOf(folder),
    path: path === '' ? `/${name}` : `/${name}/${path}`,
  };
}

/** A workspace's folder as the authority of an address. */
export function authorityOf(folder: string): string {
  return Buffer.from(folder).toString('hex');
}

/** The workspace's folder that an authority names. */
export function folderOf(authority: string): string {
  return Buffer.from(authority, 'hex').toString('utf8');
}

/** Where a URI leads; undefined when it is none of ours. */
export function taskAddress(parts: TaskUriParts): TaskAddress | undefined {
  if (parts.scheme !== TASK_SCHEME || !/^([0-9a-f]{2})+$/.test(parts.authority)) return undefined;
  const [, , ...rest] = parts.path.split('/');
  return { folder: folderOf(parts.authority), path: rest.join('/') };
}

/** A place: a file of the task by its path in the task, or of the solution by its path in the container. */
export type TaskPlace =
  { readonly in: 'task'; readonly path: string } | { readonly in: 'solution'; readonly path: ContainerPath };

/** The file that a verdict names. */
export function taskPlace(path: ContainerPath): TaskPlace {
  return isIn(CONTAINER_TESTS, path) ? { in: 'task', path: path.slice(1) } : { in: 'solution', path };
}

export type UriOf = (place: TaskPlace) => vscode.Uri;

/** The addresses of the files of one task, shipped and edited. */
export async function placeUris(api: typeof vscode, task: OpenTask): Promise<UriOf> {
  const { hostPathOf } = await import('../../workspace/workPaths.ts');
  return (place) =>
    place.in === 'task'
      ? api.Uri.from(taskUriParts(task.folder, task.state.taskId, place.path))
      : api.Uri.file(hostPathOf(task.workspace, place.path));
}
