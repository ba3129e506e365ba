// The built command line as a child process, as a person or a script runs it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../host/root.ts';

const BUNDLE = join(ROOT, 'dist/cli.cjs');
export const SAMPLES = join(ROOT, 'test/fixtures/tasks');
export const SOLUTIONS = join(ROOT, 'test/fixtures/solutions');

/** The samples' images, by the base image that tests have. */
export const IMAGES = ['python:3.10-slim', 'python:3.11-slim-bookworm', 'ubuntu:22.04'].flatMap((image) => [
  '--image-map',
  `${image}=repair-bench-test/base:bookworm`,
]);

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when stderr has held `text`. */
  said(text: string): Promise<void>;
  closeStdout(): void;
  readonly ended: Promise<Ended>;
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly uid?: number;
}

export function startCli(args: readonly string[], { env = {}, cwd = ROOT, uid }: Surroundings = {}): Started {
  if (!existsSync(BUNDLE)) throw new Error(`${BUNDLE} is missing; "npm run build" makes it.`);
  const child = spawn(process.execPath, [BUNDLE, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return {
    pid: child.pid ?? 0,
    kill: (signal) => child.kill(signal),
    closeStdout: () => child.stdout.destroy(),
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => (stderr.includes(text) ? resolve() : undefined);
        child.stderr.on('data', look);
        child.once('close', () => reject(new Error(`It never said "${text}": ${stderr}${stdout}`)));
        look();
      }),
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    }),
  };
}

export function runCli(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  return startCli(args, surroundings).ended;
}
