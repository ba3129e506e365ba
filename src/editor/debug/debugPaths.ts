/** Which files of a container VS Code can show: those of the solution where they are edited, and the tests as the task has them. */
import type * as vscode from 'vscode';
import { type ContainerPath, isContainerPath } from '../../task/containerPath.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import { testFilesOf } from '../../verifier/plan/testFiles.ts';
import type { DebugPaths } from './debugMessages.ts';
import type { OpenTask } from '../task/openTask.ts';
import { TASK_SCHEME, taskAddress, taskUriParts } from '../task/taskUri.ts';

export async function debugPaths(
  api: typeof vscode,
  task: OpenTask,
  solution: SolutionState,
): Promise<DebugPaths> {
  const { containerPathOf, hostPathOf } = await import('../../workspace/workPaths.ts');
  const { folder, workspace } = task;
  const shared = new Set<ContainerPath>([...solution.files.keys(), ...testFilesOf(workspace.task)]);
  return {
    shared: [...shared].filter((path) => path.endsWith('.py')),
    toContainer: (shown) => {
      const path = shown.startsWith(`${TASK_SCHEME}:`)
        ? addressed(api.Uri.parse(shown), folder)
        : containerPathOf(workspace, shown);
      return path !== undefined && shared.has(path) ? path : undefined;
    },
    toShown: (path) => {
      if (!isContainerPath(path) || !shared.has(path)) return undefined;
      if (solution.files.has(path)) return hostPathOf(workspace, path);
      return api.Uri.from(taskUriParts(folder, task.state.taskId, path.slice(1))).toString();
    },
  };
}

function addressed(uri: vscode.Uri, folder: string): ContainerPath | undefined {
  const address = taskAddress(uri);
  return address?.folder === folder ? `/${address.path}` : undefined;
}
