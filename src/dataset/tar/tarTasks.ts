/** Finds the tasks in a tar: one at its root, one per folder, or members that are archives of one task each. */
import { posix } from 'node:path';
import { isTaskFolder } from '../../task/archive/taskFolder.ts';
import type { PathList } from '../tables/pathList.ts';

/** One row: the members of a task's folder, or a member that is an archive itself. */
export type TarRow =
  | { readonly kind: 'folder'; readonly path: string; readonly members: readonly number[] }
  | { readonly kind: 'archive'; readonly path: string; readonly member: number };

const ARCHIVE_NAME = /\.(tar\.gz|tgz|tar)$/i;

/** Rows in the order in which their first member comes. `''` is the path of a task at the root. */
export function findTarTasks(names: PathList): readonly TarRow[] {
  const roots = taskRoots(names);
  const folders = new Map<string, number[]>();
  const rows: TarRow[] = [];
  for (let member = 0; member < names.length; member++) {
    const name = plainName(names, member);
    const root = rootOf(name, roots);
    if (root === undefined) {
      if (ARCHIVE_NAME.test(name)) rows.push({ kind: 'archive', path: name, member });
      continue;
    }
    const members = folders.get(root);
    if (members !== undefined) {
      members.push(member);
      continue;
    }
    const first = [member];
    folders.set(root, first);
    rows.push({ kind: 'folder', path: root, members: first });
  }
  return rows;
}

/** A member's name without the `./` that some writers put in front, and as latin1, so that no byte is lost. */
export function plainName(names: PathList, member: number): string {
  return names
    .bytesAt(member)
    .toString('latin1')
    .replace(/^(\.\/)+/, '');
}

/** Folders that hold a marker file and are not within another such folder. */
function taskRoots(names: PathList): ReadonlySet<string> {
  const candidates = new Set<string>();
  for (let member = 0; member < names.length; member++) {
    const name = plainName(names, member);
    const slash = name.lastIndexOf('/');
    if (isTaskFolder([name.slice(slash + 1)])) candidates.add(slash < 0 ? '' : name.slice(0, slash));
  }
  return new Set(
    [...candidates].filter((root) => root === '' || rootOf(posix.dirname(root), candidates) === undefined),
  );
}

/** The outermost root that `name` is in, or is itself. */
function rootOf(name: string, roots: ReadonlySet<string>): string | undefined {
  if (roots.has('')) return '';
  for (let slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
    const folder = name.slice(0, slash);
    if (roots.has(folder)) return folder;
  }
  return roots.has(name) ? name : undefined;
}
