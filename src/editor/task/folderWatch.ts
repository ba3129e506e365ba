/**
 * Watches a workspace on disk. Not the editor's watcher: that watches the whole opened folder, and on Linux goes on to
 * report files of a folder that was renamed, as a new workspace is, under its old name. Not Node's recursive one either:
 * on Linux Node 20 goes deaf for a folder whose files are deleted and made again.
 */
import { watch } from 'chokidar';
import { sep } from 'node:path';

/** Programs write a file in several steps. */
const SETTLE_MS = 40;

/** Called when a workspace on disk changed. */
export interface WorkspaceWatch {
  /** Anything but the history of runs has changed. */
  readonly changed: () => void;
  /** A run was saved or deleted, perhaps by another window. */
  readonly ran: () => void;
}

/**
 * Calls back a moment after a change. Calls both once when watching begins, for changes that came before. Never throws;
 * a folder that is gone is a change.
 */
export function watchWorkspace(folder: string, { changed, ran }: WorkspaceWatch): { dispose(): void } {
  const settled = [settling(changed), settling(ran)] as const;
  const [change, run] = settled;
  const runs = folder + sep + 'runs';
  const isOfRuns = (path: string): boolean => path === runs || path.startsWith(runs + sep);
  const watcher = watch(folder, {
    persistent: false,
    ignoreInitial: true,
    followSymlinks: false,
    // The runs alone: what lies deeper is written before them.
    ignored: (path) => isOfRuns(path) && path.slice(runs.length + 1).includes(sep),
  });
  const both = (): void => {
    change.touch();
    run.touch();
  };
  watcher.on('all', (_event, path) => {
    if (isOfRuns(path)) run.touch();
    else change.touch();
  });
  watcher.on('ready', both);
  // The system has no watches left, or the disk supports none: editors and the window's focus still report changes.
  watcher.on('error', both);
  return {
    dispose: () => {
      for (const { cancel } of settled) cancel();
      void watcher.close();
    },
  };
}

function settling(tell: () => void): { readonly touch: () => void; readonly cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => clearTimeout(timer);
  return {
    touch: () => {
      cancel();
      timer = setTimeout(tell, SETTLE_MS);
    },
    cancel,
  };
}
