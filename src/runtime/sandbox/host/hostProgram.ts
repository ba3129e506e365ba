/** Finds and runs programs of the host. Never called with anything that a task wrote. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

export type HostEnvironment = Readonly<Record<string, string | undefined>>;

export interface ProgramAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
const ANSWER_TIMEOUT_MS = 10_000;
const ANSWER_BYTES = 64 * 1024;

/** All programs of that name on PATH and in the system's folders, first found first. */
export async function findPrograms(name: string, env: HostEnvironment): Promise<string[]> {
  const folders = new Set(
    `${env['PATH'] ?? ''}:${SYSTEM_PATH}`.split(':').filter((folder) => folder.startsWith('/')),
  );
  const found: string[] = [];
  for (const folder of folders) {
    const candidate = path.join(folder, name);
    if (await isExecutable(candidate)) found.push(candidate);
  }
  return found;
}

/** Whether this is a file that may be executed. */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Runs a host program to its end, bounded in time and output. */
export function runHostProgram(
  program: string,
  args: readonly string[],
  options: { readonly env: HostEnvironment; readonly signal?: AbortSignal | undefined },
): Promise<ProgramAnswer> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      {
        env: options.env,
        timeout: ANSWER_TIMEOUT_MS,
        maxBuffer: ANSWER_BYTES,
        killSignal: 'SIGKILL',
        ...(options.signal && { signal: options.signal }),
      },
      (error, stdout, stderr) =>
        resolve({ ok: error === null, stdout, stderr: stderr || (error?.message ?? '') }),
    );
  });
}
