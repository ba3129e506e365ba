/** Reads a task's archive (tar, gzipped or plain) without trusting it. */
import type { TaskFiles } from './task.ts';

/** What an archive or a task folder may cost. Sizes in bytes. */
export interface ArchiveLimits {
  readonly members: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** Unpacked to packed size; looked at once more than `ratioAboveBytes` are unpacked. */
  readonly ratio: number;
  readonly ratioAboveBytes: number;
}

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

/** Why an archive or a task folder was refused; `member` is the name concerned, printable. */
export class TaskArchiveError extends Error {
  readonly code: TaskArchiveErrorCode;
  readonly member: string | undefined;
  constructor(code: TaskArchiveErrorCode, message: string, member?: string) {
    super(message);
    this.name = 'TaskArchiveError';
    this.code = code;
    this.member = member;
  }
}

export type ArchiveResult =
  { readonly ok: true; readonly files: TaskFiles } | { readonly ok: false; readonly error: TaskArchiveError };

export async function readTaskArchive(
  _bytes: Uint8Array,
  _limits?: Partial<ArchiveLimits>,
): Promise<ArchiveResult> {
  throw new Error('not written yet');
}
