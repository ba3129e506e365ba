/** Where workspaces are made: a folder that a person can see, move and commit. Pure. */
import { isAbsolute, join, resolve } from 'node:path';

export interface RootFacts {
  /** The setting; empty: choose. */
  readonly setting: string;
  /** Host path of the first folder that is open in this window. */
  readonly openFolder: string | undefined;
  readonly home: string;
}

/** `.repair-bench` in the opened folder; `repair-bench` in the home folder when no folder is open. */
export function workspaceRoot({ setting, openFolder, home }: RootFacts): string {
  if (setting === '')
    return openFolder === undefined ? join(home, 'repair-bench') : join(openFolder, '.repair-bench');
  const expanded = setting
    .replace(/^~(?=$|[/\\])/, home)
    .replaceAll('${workspaceFolder}', openFolder ?? home)
    .replaceAll('${userHome}', home);
  return isAbsolute(expanded) ? expanded : resolve(openFolder ?? home, expanded);
}
