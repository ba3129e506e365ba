/** Where things lie in a gold fix. Pure. */
import { join } from 'node:path';
import type { ContainerPath } from '../task/containerPath.ts';
import { SOLUTION_FOLDER } from '../task/taskLayout.ts';
import { toHostName } from '../workspace/hostNames.ts';
import type { WorkspaceFolder } from '../workspace/workPaths.ts';

/** Where a workspace keeps its gold fix. */
export const GOLD_FOLDER = 'gold';
export const GOLD_RECORD = 'gold.json';
export const GOLD_PATCH = 'gold.patch';
/** In the part that becomes the task's own `solution/`. Apart from `solve.sh`, so that no name of a solution can be in its way. */
const FILES_FOLDER = `${SOLUTION_FOLDER}/files`;

/** Host path of the folder that holds the gold fix of a workspace. */
export function goldFolderOf(workspace: WorkspaceFolder): string {
  return join(workspace.folder, GOLD_FOLDER);
}

/** Where a file of the container lies in a gold fix: `/app/solution.py` is `solution/files/app/solution.py`. */
export function goldFileOf(path: ContainerPath): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return [FILES_FOLDER, ...segments.map(toHostName)].join('/');
}
