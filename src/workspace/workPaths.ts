/** Where a file of the container lies under `work/`, and the way back. Pure; both path flavours can be asked for. */
import nodePath, { type PlatformPath } from 'node:path';
import { type ContainerPath, resolveContainerPath } from '../task/containerPath.ts';
import { fromHostName, toHostName } from './hostNames.ts';
import { WORK_FOLDER } from './workspaceFile.ts';

/** The part of a workspace that is needed here. */
export interface WorkspaceFolder {
  /** Host path, absolute. */
  readonly folder: string;
}

/** The host's own flavour, or `path.win32` / `path.posix`. */
type Flavour = Pick<PlatformPath, 'join' | 'relative' | 'isAbsolute' | 'sep'>;

/** Host path of the folder with the edited files. */
export function workFolderOf(workspace: WorkspaceFolder, flavour: Flavour = nodePath): string {
  return flavour.join(workspace.folder, WORK_FOLDER);
}

/** Host path of a container's file; inside `work/` whatever the path holds, as `..` cannot leave `/`. */
export function hostPathOf(
  workspace: WorkspaceFolder,
  path: ContainerPath,
  flavour: Flavour = nodePath,
): string {
  const segments = resolveContainerPath('/', path)
    .split('/')
    .filter((segment) => segment !== '');
  return flavour.join(workFolderOf(workspace, flavour), ...segments.map(toHostName));
}

/** Container path of a host's file; undefined when it is not under `work/`, or has a name that no container path gives. */
export function containerPathOf(
  workspace: WorkspaceFolder,
  hostPath: string,
  flavour: Flavour = nodePath,
): ContainerPath | undefined {
  const relative = flavour.relative(workFolderOf(workspace, flavour), hostPath);
  if (flavour.isAbsolute(relative)) return undefined;
  return containerPathOfNames(relative === '' ? [] : relative.split(flavour.sep));
}

/** Names on disk, from `work/` downwards, as a container path. */
export function containerPathOfNames(names: readonly string[]): ContainerPath | undefined {
  const segments: string[] = [];
  for (const name of names) {
    const segment = fromHostName(name);
    if (segment === undefined || segment === '.' || segment === '..' || segment.includes('/'))
      return undefined;
    segments.push(segment);
  }
  return `/${segments.join('/')}`;
}
