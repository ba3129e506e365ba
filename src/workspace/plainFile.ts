/** Reads a file of a workspace without following links and without trusting its size: the folder can come from anyone. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { fileSystemError, WorkspaceError } from './workspaceError.ts';

/**
 * Windows has neither flag, where they are undefined and count as 0; there `lstat` alone tells a link.
 * Non-blocking, since opening a FIFO would wait for ever.
 */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The bytes of a plain file of at most `mostBytes`.
 * @throws WorkspaceError `not-a-plain-file`, `too-large`, `not-readable`, `damaged` (missing).
 */
export async function readPlainFile(file: string, mostBytes: number): Promise<Uint8Array> {
  try {
    requirePlainFile(file, await lstat(file));
    const handle = await open(file, OPEN_FLAGS);
    try {
      return await readBounded(handle, file, mostBytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileSystemError(error, file, 'read');
  }
}

interface FileFacts {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** @throws WorkspaceError `not-a-plain-file` */
function requirePlainFile(file: string, facts: FileFacts): void {
  if (facts.isFile()) return;
  const what = facts.isSymbolicLink()
    ? 'a symbolic link'
    : facts.isDirectory()
      ? 'a folder'
      : 'a device or pipe';
  throw new WorkspaceError(
    'not-a-plain-file',
    file,
    `${file} is ${what}; a plain file belongs there.`,
    facts.isSymbolicLink() ? 'Put a copy of the file in its place.' : 'Move it away and put the file back.',
  );
}

async function readBounded(handle: FileHandle, file: string, mostBytes: number): Promise<Uint8Array> {
  const facts = await handle.stat();
  requirePlainFile(file, facts);
  if (facts.size > mostBytes) throw tooLarge(file, mostBytes);
  const bytes = await handle.readFile();
  // It may have grown since it was measured.
  if (bytes.length > mostBytes) throw tooLarge(file, mostBytes);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function tooLarge(file: string, mostBytes: number): WorkspaceError {
  return new WorkspaceError(
    'too-large',
    file,
    `${file} has more than ${mostBytes} bytes, the most that is read.`,
    'Make it smaller or move it out of the workspace.',
  );
}
