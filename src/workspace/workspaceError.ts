/** The one error of this module: it says what is wrong with which file of a workspace, and what to do. */
import type { GivenRemedies } from '../fault/remedy.ts';
import { RepairBenchError } from '../fault/repairBenchError.ts';

export type WorkspaceErrorCode =
  /** No folder, or no `workspace.json` in it. */
  | 'not-a-workspace'
  /** `workspace.json` or `task.tar.gz` is missing, edited or damaged. */
  | 'damaged'
  /** The folder that this workspace needs holds something else. */
  | 'occupied'
  /** A link, a folder or a device where a plain file should be. */
  | 'not-a-plain-file'
  /** A name under `work/` that not every system can hold. */
  | 'odd-name'
  | 'too-large'
  | 'not-readable'
  | 'not-writable'
  | 'disk-full'
  | 'unexpected';

export class WorkspaceError extends RepairBenchError<WorkspaceErrorCode> {
  override readonly name = 'WorkspaceError';
  /** Host path of the file or folder concerned. */
  readonly file: string;

  constructor(
    code: WorkspaceErrorCode,
    file: string,
    message: string,
    remedies: GivenRemedies,
    options?: ErrorOptions,
  ) {
    super(code, message, remedies, options);
    this.file = file;
  }
}

/** Node's code of a file system error, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** An error of the file system while `file` was being `verb` (`read` or `written`), in words a person can act on. */
export function fileSystemError(error: unknown, file: string, verb: 'read' | 'written'): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const because = { cause: error };
  const words = error instanceof Error ? error.message : String(error);
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new WorkspaceError(
        'disk-full',
        file,
        `There is no space left to write ${file}.`,
        'Free some space, or choose a folder on another disk; nothing half-written was left behind.',
        because,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return verb === 'read'
        ? new WorkspaceError(
            'not-readable',
            file,
            `${file} cannot be read: permission denied.`,
            'Check who owns the folder and that you may read it.',
            because,
          )
        : new WorkspaceError(
            'not-writable',
            file,
            `${file} cannot be written: ${systemCode(error) === 'EROFS' ? 'the disk is read-only' : 'permission denied'}.`,
            'Choose a folder that you may write to.',
            because,
          );
    case 'ENOENT':
      return new WorkspaceError(
        'damaged',
        file,
        `${file} is missing; it was moved or deleted.`,
        'Put it back, or open the task again to get a new workspace.',
        because,
      );
    case 'ENOTDIR':
      return new WorkspaceError(
        'occupied',
        file,
        `${file} cannot be ${verb}: a part of its path is a file, not a folder.`,
        'Choose another folder.',
        because,
      );
    case 'ENAMETOOLONG':
      return new WorkspaceError(
        'odd-name',
        file,
        `${file} cannot be ${verb}: its path is too long for this system.`,
        'Choose a folder with a shorter path.',
        because,
      );
    case undefined:
    default:
      return new WorkspaceError(
        'unexpected',
        file,
        `${file} cannot be ${verb}: ${words}.`,
        'Check the folder and its disk, then try again.',
        because,
      );
  }
}
