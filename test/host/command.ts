// Runs one command of a set-up: output goes to a log, and a failure says what to read and what to do.
import { spawn } from 'node:child_process';
import { accessSync, constants, createWriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cacheFolder } from './cacheFolder.ts';

const LAST_LINES = 12;

/** One command and what a person should know about it when it fails. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  /** What to do when it fails: one sentence. */
  readonly advice: string;
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds; the whole process group is killed then. Ten minutes unless told. */
  readonly timeoutMs?: number;
}

/**
 * Runs a command to its end and returns its stdout.
 * @throws Error with the command, its last lines, the place of its log and the advice, unless it exits with 0.
 */
export async function runCommand(task: Command): Promise<string> {
  const folder = join(cacheFolder(), 'logs');
  await mkdir(folder, { recursive: true });
  const logFile = join(
    folder,
    `${task.command.split('/').at(-1) ?? 'command'}-${process.pid}-${Date.now()}.log`,
  );
  const log = createWriteStream(logFile);
  const stdout: Buffer[] = [];
  const end = await new Promise<string | 0>((resolve) => {
    const child = spawn(task.command, task.args, {
      cwd: task.cwd,
      env: { ...process.env, ...task.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const timeoutMs = task.timeoutMs ?? 600_000;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve(`could not start (${error.message})`);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (late) resolve(`took longer than ${timeoutMs / 1000} s and was killed`);
      else
        resolve(
          code === 0 ? 0 : code === null ? `was killed by ${signal ?? 'a signal'}` : `exited with ${code}`,
        );
    });
  });
  await new Promise<void>((resolve) => log.end(resolve));
  if (end !== 0) throw new Error(await describeFailure(task, end, logFile));
  await rm(logFile, { force: true });
  return Buffer.concat(stdout).toString('utf8');
}

/** Where an executable is on `PATH` (or in the sbin folders, which are not on everyone's), if it is anywhere. */
export function findExecutable(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function describeFailure(task: Command, end: string, logFile: string): Promise<string> {
  return [
    `\`${[task.command, ...task.args].join(' ')}\` ${end}.`,
    ...lastLines(await readFile(logFile, 'utf8')).map((line) => `  | ${line}`),
    `Log: ${logFile}`,
    `Next: ${task.advice}`,
  ].join('\n');
}

/** The last lines of a log that say something. */
export function lastLines(text: string, count: number = LAST_LINES): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(-count);
}
