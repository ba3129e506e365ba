/** The author as git knows them. */
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import type { GoldRecord } from '../goldRecord.ts';

const MOST_MS = 5000;
const MOST_CHARACTERS = 200;

/**
 * `user.name` and `user.email` as git's configuration has them for `folder` (a host path); undefined when there is no
 * git, or neither is set. Never throws.
 */
export async function gitAuthor(folder: string): Promise<GoldRecord['author']> {
  const [name, email] = await Promise.all([setting(folder, 'user.name'), setting(folder, 'user.email')]);
  if (name === undefined && email === undefined) return undefined;
  return { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) };
}

/** Started elsewhere: on Windows a program is looked for in the current folder first, and that one can be anyone's. */
async function setting(folder: string, key: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const args = ['-C', folder, 'config', '--get', key];
    const options = { cwd: homedir(), timeout: MOST_MS, maxBuffer: 64 * 1024, windowsHide: true };
    execFile('git', args, options, (error, stdout) => {
      const value = stdout.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
      resolve(error || value === '' ? undefined : value.slice(0, MOST_CHARACTERS));
    });
  });
}
