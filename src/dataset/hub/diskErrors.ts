/** Turns errors of the file system into reasons why the cache cannot be used. Pure. */
import { bytesText } from '../../wording/bytesText.ts';
import { HubError } from './hubError.ts';

/** An error of the file system about the cache at `folder`; any other comes back as it is. */
export function diskError(error: unknown, folder: string): unknown {
  if (error instanceof HubError || !(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(`The disk of ${folder} is full`, { cause: error });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return unusable(`${folder} cannot be written to by this user`, error);
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
      return unusable(
        `A file is where a folder should be, or a folder where a file should be, in ${folder}`,
        error,
      );
    default:
      return typeof error.code === 'string' && 'syscall' in error
        ? unusable(`${folder} cannot be used: ${error.message}`, error)
        : error;
  }
}

/** The error for a download that would not fit, before it begins. */
export function tooLittleSpace(folder: string, needed: number, free: number): HubError {
  return diskFull(
    `The disk of ${folder} has ${bytesText(free)} left, and ${bytesText(needed)} are still to come`,
  );
}

function diskFull(message: string, options?: ErrorOptions): HubError {
  return new HubError(
    'disk-full',
    `${message}.`,
    'Free some space, or set HF_HUB_CACHE to a folder on another disk. The downloaded part is kept, and continued from there.',
    options,
  );
}

function unusable(message: string, cause: Error): HubError {
  return new HubError('cache-unusable', `${message}.`, 'Set HF_HOME or HF_HUB_CACHE to a folder of yours.', {
    cause,
  });
}
