/** The folder `runs/` and the one in it: made again when somebody deleted them, and never followed when they are links. */
import { lstat, mkdir } from 'node:fs/promises';
import { fileSystemError, systemCode, WorkspaceError } from './workspaceError.ts';

/** Makes `folder` (a host path) if it is not there. @throws WorkspaceError also when a link stands in its place */
export async function makeRunsFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
    if ((await lstat(folder)).isDirectory()) return;
  } catch (error) {
    throw fileSystemError(error, folder, 'written');
  }
  throw new WorkspaceError(
    'not-a-plain-file',
    folder,
    `The run cannot be saved: ${folder} is not a folder.`,
    'Move it away; a new folder is made with the next run.',
  );
}
