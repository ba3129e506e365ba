/** The addresses under which VS Code shows the files of a task. */
import type * as vscode from 'vscode';
import type { OpenTask } from './openTask.ts';
import type { TaskPlace } from './taskPlace.ts';
import { taskUriParts } from './taskUri.ts';

export type UriOf = (place: TaskPlace) => vscode.Uri;

/** The addresses of the files of one task. */
export async function placeUris(api: typeof vscode, task: OpenTask): Promise<UriOf> {
  const { hostPathOf } = await import('../../workspace/workPaths.ts');
  return (place) =>
    place.in === 'task'
      ? api.Uri.from(taskUriParts(task.folder, task.state.taskId, place.path))
      : api.Uri.file(hostPathOf(task.workspace, place.path));
}
