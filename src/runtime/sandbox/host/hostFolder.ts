/** Checks who can access a host path. */
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

const OTHERS_MAY_ENTER = 0o001;

export async function exists(hostPath: string): Promise<boolean> {
  return access(hostPath).then(
    () => true,
    () => false,
  );
}

/** Whether any user can get into a folder: into it and all folders above it. */
export async function othersMayEnter(folder: string): Promise<boolean> {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const stats = await stat(current).catch(() => undefined);
    if (!stats?.isDirectory() || (stats.mode & OTHERS_MAY_ENTER) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
