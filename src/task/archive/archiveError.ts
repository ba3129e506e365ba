/** Why a task archive or a task folder is refused: one error type, a code per reason. */
import type { GivenRemedies } from '../../fault/remedy.ts';
import { RepairBenchError } from '../../fault/repairBenchError.ts';
import type { ArchiveLimits } from './archiveLimits.ts';
import { printableName } from './memberName.ts';

export type TaskArchiveErrorCode =
  | 'not-an-archive'
  | 'truncated'
  | 'damaged'
  | 'empty'
  | 'too-many-members'
  | 'file-too-large'
  | 'too-large'
  | 'compression-bomb'
  | 'path-traversal'
  | 'absolute-path'
  | 'bad-name'
  | 'not-a-regular-file'
  | 'conflicting-names'
  | 'unreadable';

/** Why an archive or a task folder was refused. */
export class TaskArchiveError extends RepairBenchError<TaskArchiveErrorCode> {
  override readonly name = 'TaskArchiveError';
  /** The name concerned, as {@link decodeName} gives it. */
  readonly member: string | undefined;

  constructor(code: TaskArchiveErrorCode, message: string, remedies: GivenRemedies, member?: string) {
    super(code, message, remedies);
    this.member = member;
  }
}

export function tooLarge(limits: ArchiveLimits): TaskArchiveError {
  return new TaskArchiveError(
    'too-large',
    `The archive unpacks to more than ${limits.totalBytes} bytes, the most that a task may have.`,
    'Leave out what the task does not need.',
  );
}

export function truncated(where: string, member?: string): TaskArchiveError {
  return new TaskArchiveError(
    'truncated',
    `The archive ends in the middle of ${where}: a part of it is missing.`,
    'Fetch or copy the dataset again.',
    member,
  );
}

export function damaged(because: string): TaskArchiveError {
  return new TaskArchiveError(
    'damaged',
    `The archive is damaged: ${because}.`,
    'Fetch or copy the dataset again.',
  );
}

export function irregular(name: string, kind: string): TaskArchiveError {
  return new TaskArchiveError(
    'not-a-regular-file',
    `The archive was refused: its member ${printableName(name)} is ${kind}, and a task may hold only plain files and folders.`,
    'Pack the task again with a copy of the file in its place.',
    name,
  );
}
