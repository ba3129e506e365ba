/** Runs one command in bubblewrap and returns when all its processes have ended. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { BoundedBuffer } from '../../bounded.ts';
import { LineSplitter } from '../../lineSplitter.ts';
import { timerMs } from '../../timers.ts';
import { encodeArguments } from './bwrapArguments.ts';
import type { HostIdentity } from '../host/identity.ts';
import { shieldStdio } from '../host/inheritedDescriptors.ts';
import { watchMemory, type MemoryWatch } from './memoryWatch.ts';
import { syscallFilter } from './syscallFilter.ts';

export interface JailRequest {
  readonly bwrap: string;
  readonly prlimit: string;
  /** The command before `prlimit` that limits the run to some processors. */
  readonly affinity: readonly string[];
  /** A shell of the read-only system, the first process of the pid namespace. */
  readonly shell: string;
  readonly identity: HostIdentity;
  readonly limitArguments: readonly string[];
  /** Options for bubblewrap, without the command. */
  readonly options: readonly string[];
  readonly command: readonly string[];
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/** How it ended; `output` is what the command printed to stdout and stderr, bounded. */
export type JailEnd = { readonly output: string; readonly startedAfterMs: number | undefined } & (
  | { readonly how: 'exited'; readonly code: number; readonly outOfMemory: boolean }
  | { readonly how: 'killed'; readonly signal: string }
  | { readonly how: 'timed-out'; readonly afterMs: number }
  | { readonly how: 'cancelled' }
  /** Bubblewrap could not set up the sandbox; `output` has its words. */
  | { readonly how: 'not-set-up' }
);

const OUTPUT_BYTES = 64 * 1024;
const ARGUMENTS_FD = 3;
const STATUS_FD = 4;
const STARTED_FD = 5;
const FILTER_FD = 6;
const GONE_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * The first process: says that the setup is done, makes the run the kernel's first choice when the host's
 * memory is short, waits for the command and leaves with its status. When it leaves, the kernel ends all
 * that is left in the namespace. Its own words, such as "Killed", go nowhere.
 */
const FIRST_PROCESS = [
  `printf . >&${STARTED_FD}`,
  `exec ${STARTED_FD}>&- 6>&2 2>/dev/null`,
  'echo 1000 >/proc/self/oom_score_adj',
  // In a subshell of its own: dash also applies a command's redirections to what it says about that command.
  '(exec 2>&6 6>&-; exec "$@")',
  'exit $?',
].join('; ');

/** Throws when the program cannot be spawned at all, or when processes of the run do not go away. */
export async function runJailed(request: JailRequest): Promise<JailEnd> {
  const output = BoundedBuffer.ofTotal(OUTPUT_BYTES);
  if (request.signal.aborted) return { how: 'cancelled', output: '', startedAfterMs: undefined };
  const began = performance.now();
  const child = startChild(request);
  const closed = onceClosed(child);
  const splitters: LineSplitter[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    const lines = new LineSplitter(request.onLine);
    splitters.push(lines);
    stream?.on('data', (chunk: Buffer) => {
      output.push(chunk);
      lines.push(chunk);
    });
  }
  let memory: MemoryWatch | undefined;
  const firstProcess = readFirstProcess(child, (pid) => {
    memory = watchMemory(pid, request.memoryMb);
  });
  let startedAfterMs: number | undefined;
  let stopped: 'timed-out' | 'cancelled' | undefined;
  const stop = (why: 'timed-out' | 'cancelled'): void => {
    stopped ??= why;
    // The namespace's first process takes all others with it. bwrap itself would leave it for a moment.
    const pid = firstProcess.pid();
    if (pid === undefined || child.exitCode !== null || !killProcess(pid)) child.kill('SIGKILL');
  };
  const onAbort = (): void => stop('cancelled');
  request.signal.addEventListener('abort', onAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  extraPipe(child, STARTED_FD)?.on('data', () => {
    startedAfterMs = performance.now() - began;
    timer = setTimeout(() => stop('timed-out'), timerMs(request.timeoutMs));
  });
  // Setting up takes milliseconds; when it hangs, the step's time limit is long enough to wait.
  const setupTimer = setTimeout(
    () => startedAfterMs === undefined && stop('timed-out'),
    timerMs(request.timeoutMs + GONE_TIMEOUT_MS),
  );
  try {
    const { code, signal } = await closed.exited;
    const pid = firstProcess.pid();
    if (pid !== undefined) await waitUntilGone(pid);
    await Promise.race([closed.closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    for (const lines of splitters) lines.end();
    const rest = { output: output.toText(), startedAfterMs };
    if (stopped === 'cancelled' || request.signal.aborted) return { how: 'cancelled', ...rest };
    if (stopped === 'timed-out') return { how: 'timed-out', afterMs: request.timeoutMs, ...rest };
    if (startedAfterMs === undefined) return { how: 'not-set-up', ...rest };
    if (code === null) return { how: 'killed', signal: signal ?? 'SIGKILL', ...rest };
    return { how: 'exited', code, outOfMemory: memory?.exceeded() ?? false, ...rest };
  } finally {
    clearTimeout(timer);
    clearTimeout(setupTimer);
    memory?.stop();
    request.signal.removeEventListener('abort', onAbort);
    for (const stream of child.stdio) stream?.destroy();
  }
}

function startChild(request: JailRequest): ChildProcess {
  const { identity } = request;
  const filter = syscallFilter(process.arch);
  const { stdio, release } = shieldStdio(['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe']);
  try {
    const [program = request.prlimit, ...words] = [...request.affinity, request.prlimit];
    const child = spawn(
      program,
      [
        ...[...words, ...request.limitArguments, '--', request.bwrap],
        ...['--args', String(ARGUMENTS_FD), '--json-status-fd', String(STATUS_FD)],
        ...(filter ? ['--seccomp', String(FILTER_FD)] : []),
        ...['--', request.shell, '-c', FIRST_PROCESS, 'first', ...request.command],
      ],
      {
        cwd: '/',
        env: {},
        stdio,
        ...(identity.dropped && { uid: identity.uid, gid: identity.gid }),
      },
    );
    writePipe(child, ARGUMENTS_FD, encodeArguments(request.options));
    writePipe(child, FILTER_FD, filter ?? Buffer.alloc(0));
    return child;
  } finally {
    release();
  }
}

function writePipe(child: ChildProcess, descriptor: number, bytes: Buffer): void {
  const stream = child.stdio[descriptor];
  if (!stream || !('end' in stream)) return;
  // bwrap that dies early closes its end; how it died says more than a broken pipe.
  stream.on('error', () => undefined);
  stream.end(bytes);
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function onceClosed(child: ChildProcess): { readonly exited: Promise<Exit>; readonly closed: Promise<void> } {
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { exited, closed };
}

/** The host's number of the namespace's first process, from bwrap's JSON status. */
function readFirstProcess(
  child: ChildProcess,
  onFound: (pid: number) => void,
): { readonly pid: () => number | undefined } {
  let text = '';
  let pid: number | undefined;
  extraPipe(child, STATUS_FD)?.on('data', (chunk: Buffer) => {
    if (pid !== undefined) return;
    text += chunk.toString('utf8');
    const found = /"child-pid"\s*:\s*(\d+)\s*[,}]/.exec(text)?.[1];
    if (found === undefined) return;
    pid = Number(found);
    onFound(pid);
  });
  return { pid: () => pid };
}

function extraPipe(child: ChildProcess, descriptor: number): Readable | undefined {
  const stream = child.stdio[descriptor];
  return stream && 'read' in stream ? stream : undefined;
}

/**
 * Waits until a namespace's first process is gone. It becomes a zombie only after all others of its namespace
 * have ended (pid_namespaces(7)), so a zombie counts as gone.
 */
async function waitUntilGone(pid: number): Promise<void> {
  const deadline = performance.now() + GONE_TIMEOUT_MS;
  for (let wait = 0; ; wait = 2) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))) return;
    if (performance.now() > deadline) throw new Error(`Process ${pid} of the sandbox does not end.`);
    await delay(wait);
  }
}

function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
