/**
 * Watches a workspace on disk. Node's own watcher, not the editor's: the editor watches the whole opened folder, and on
 * Linux goes on to report files of a folder that was renamed, as a new workspace is, under its old name.
 */
import { type FSWatcher, watch } from 'node:fs';

/** Programs write a file in several steps. */
const SETTLE_MS = 40;

/** Calls `changed` a moment after anything but the history of runs has changed. Never throws; a lost folder is a change. */
export function watchWorkspace(folder: string, changed: () => void): { dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  const touch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
  };
  const watcher = tryWatch(folder, (name) => {
    if (name === null || !/^runs([/\\]|$)/.test(name)) touch();
  });
  watcher?.on('error', touch);
  return {
    dispose: () => {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

function tryWatch(folder: string, heard: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(folder, { recursive: true, persistent: false }, (_event, name) => heard(name));
  } catch {
    // Out of watches, or a disk that has none: editors and the window's focus still tell.
    return undefined;
  }
}
