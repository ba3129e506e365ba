/**
 * Watches a workspace on disk. Not the editor's watcher: that watches the whole opened folder, and on Linux goes on to
 * report files of a folder that was renamed, as a new workspace is, under its old name. Not Node's recursive one either:
 * on Linux Node 20 goes deaf for a folder whose files are deleted and made again.
 */
import { watch } from 'chokidar';
import { sep } from 'node:path';

/** Programs write a file in several steps. */
const SETTLE_MS = 40;

/**
 * Calls `changed` a moment after anything but the history of runs has changed, and once when it has begun to watch,
 * for what happened before. Never throws; a lost folder is a change.
 */
export function watchWorkspace(folder: string, changed: () => void): { dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  const touch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
  };
  const runs = folder + sep + 'runs';
  const watcher = watch(folder, {
    persistent: false,
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => path === runs || path.startsWith(runs + sep),
  });
  watcher.on('all', touch);
  watcher.on('ready', touch);
  // Out of watches, or a disk that has none: editors and the window's focus still tell.
  watcher.on('error', touch);
  return {
    dispose: () => {
      clearTimeout(timer);
      void watcher.close();
    },
  };
}
