/** Opens a row: reads its task and makes or finds its workspace. */
import { homedir } from 'node:os';
import type { DatasetLibrary } from './datasetLibrary.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { TaskContext } from '../task/taskContext.ts';
import { workspaceRoot } from '../task/workspaceRoot.ts';

/** Host path of the folder in which this window makes workspaces. */
export function rootOfWorkspaces({ api, settings }: TaskContext): string {
  const [folder] = api.workspace.workspaceFolders?.filter(({ uri }) => uri.scheme === 'file') ?? [];
  return workspaceRoot({
    setting: settings.current.workspaceFolder,
    openFolder: folder?.uri.fsPath,
    home: homedir(),
  });
}

/**
 * The workspace of a row, made when there is none.
 * @throws DatasetError, TaskArchiveError or WorkspaceError; nothing half-written is left
 */
export async function openRow(
  context: TaskContext,
  library: DatasetLibrary,
  location: string,
  row: number,
): Promise<OpenTask> {
  const { dataset, paths } = await library.opened(location);
  const [{ readRow }, { openOrCreateWorkspace }] = await Promise.all([
    import('../../dataset/tables/readRow.ts'),
    import('../../workspace/createWorkspace.ts'),
  ]);
  const task = await readRow(dataset, row, paths.pathAt(row));
  const origin = { dataset: location, format: dataset.format, row };
  const { workspace } = await openOrCreateWorkspace(rootOfWorkspaces(context), task, origin);
  return context.tasks.adopt(workspace);
}
