// What one verify costs around the script itself: against a bare `docker run` of the same image and script, in turn.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clocks, Evidence } from '../src/runtime/evidence.ts';
import { parseTask } from '../src/task/parseTask.ts';
import type { Task } from '../src/task/task.ts';
import { resolveSubject } from '../src/verifier/plan/subject.ts';
import { verify } from '../src/verifier/verify.ts';
import { warmUp } from '../src/verifier/warmUp.ts';
import { OWNER_LABEL } from '../src/runtime/docker/container/container.ts';
import { containersWith, dockerRuntime, readyEngine } from '../test/engine/dockerUnderTest.ts';
import { afterRemovals } from '../test/engine/until.ts';
import { sampleTask, subjectOf, verifyOptions } from '../test/host/sampleTasks.ts';
import { median } from './statistics.ts';

const TASK = 'bugsinpy-0001';
const RUNS = 20;
const IMAGE = 'repair-bench-bench/verify:latest';
const CLOCK = '/logs/verifier/clock';
/** The script says itself when it begins and ends, so that its own time is measured the same way everywhere. */
const CLOCK_LINES = `echo "$EPOCHREALTIME" > ${CLOCK}; trap 'echo "$EPOCHREALTIME" >> ${CLOCK}' EXIT`;

/** Milliseconds of one run. */
interface Figures {
  readonly wall: number;
  readonly script: number;
}

/** Verifies the gold of a sample task and runs the same script bare, in turn; prints medians and their ratios. A warm run's container waits before the clock starts. */
export async function benchVerify(): Promise<void> {
  const engine = await readyEngine();
  const task = withClock(await sampleTask(TASK));
  const { runtime, owner } = dockerRuntime(engine);
  const subject = subjectOf(task, 'gold');
  const signal = new AbortController().signal;
  const phases: Record<'cold' | 'warm', Clocks[]> = { cold: [], warm: [] };
  const ours = async (kind: 'cold' | 'warm'): Promise<Figures> => {
    if (kind === 'warm') {
      const { solution } = resolveSubject(task, subject);
      if (!(await warmUp({ task, solution, options: await verifyOptions() }, { runtime, signal })))
        throw new Error('No container could be started ahead');
    }
    let script = Number.NaN;
    const options = await verifyOptions({ onEvidence: (evidence) => (script = scriptMs(evidence)) });
    const since = performance.now();
    const verdict = await verify({ task, subject, options }, { runtime, sinks: {}, signal });
    const wall = performance.now() - since;
    if (verdict.outcome !== 'scored' || verdict.reward !== 1)
      throw new Error(`The gold got ${JSON.stringify(verdict)}`);
    phases[kind].push(verdict.clocks);
    if (kind === 'warm' && verdict.clocks.create !== undefined) throw new Error('The warm run was cold');
    // What is removed after the verdict must not slow down what is measured next.
    await afterRemovals(() => containersWith(engine, `${OWNER_LABEL}=${owner}`));
    return { wall, script };
  };
  const docker = (args: readonly string[]): string => {
    const run = spawnSync('docker', ['--host', engine.host, ...args], { encoding: 'utf8' });
    if (run.status !== 0)
      throw new Error(
        `docker ${args[0] ?? ''} ended with ${run.status}: ${run.stderr || run.error?.message}`,
      );
    return run.stdout;
  };
  const limits = ['--cpus', '1', '--memory', '2048m', '--pids-limit', '1024'];
  const bare = (): Figures => {
    const since = performance.now();
    const printed = docker([
      'run',
      '--rm',
      '--network',
      'none',
      '--security-opt',
      'no-new-privileges',
      ...limits,
      IMAGE,
    ]);
    return { wall: performance.now() - since, script: between(printed) };
  };

  await ours('cold');
  bakeImage(docker, task, resolveSubject(task, subject).solution.files);
  bare();
  phases.cold.length = 0;
  const cold: Figures[] = [];
  const warm: Figures[] = [];
  const yardstick: Figures[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    yardstick.push(bare());
    cold.push(await ours('cold'));
    warm.push(await ours('warm'));
  }
  docker(['image', 'rm', '--force', IMAGE]);
  await runtime.dispose();

  console.log(`verify against a bare docker run (${TASK}, gold; in turn, median of ${RUNS})`);
  print('docker run', yardstick);
  print('cold', cold);
  print('warm', warm);
  const whole = wallOf(cold) / wallOf(yardstick);
  console.log(`  cold, whole run       ${whole.toFixed(2)} x the docker run            (aim: at most 1.15)`);
  const around = overheadOf(warm) / overheadOf(yardstick);
  console.log(`  warm, overhead        ${around.toFixed(2)} x that of the docker run    (aim: at most 0.4)`);
  for (const kind of ['cold', 'warm'] as const) {
    const named = (['resolve', 'create', 'upload', 'verify', 'collect'] as const).map(
      (name) => `${name} ${Math.round(median(phases[kind].map((clock) => clock[name] ?? 0)))}`,
    );
    console.log(`  phases, ${kind}          ${named.join(' · ')} ms`);
  }
}

function print(name: string, figures: readonly Figures[]): void {
  const [wall, around] = [wallOf(figures), overheadOf(figures)].map((ms) => ms.toFixed(0));
  console.log(`  ${name.padEnd(12)} ${wall?.padStart(6)} ms, of which ${around} ms around the script`);
}

function wallOf(figures: readonly Figures[]): number {
  return median(figures.map(({ wall }) => wall));
}

function overheadOf(figures: readonly Figures[]): number {
  return median(figures.map(({ wall, script }) => wall - script));
}

/** The task with a verifier that notes when it begins and ends. */
function withClock(task: Task): Task {
  const files = new Map(task.files);
  const script = files.get('tests/test.sh');
  if (!script) throw new Error(`${task.id} has no tests/test.sh`);
  const [first = '', ...rest] = Buffer.from(script.bytes).toString('utf8').split('\n');
  files.set(script.path, { ...script, bytes: Buffer.from([first, CLOCK_LINES, ...rest].join('\n')) });
  return parseTask(task.id, files);
}

function scriptMs({ collected }: Evidence): number {
  const file = collected.find(({ path }) => path === CLOCK);
  return between(file && 'text' in file.content ? file.content.text : '');
}

/** Milliseconds between the two times of a clock file. */
function between(text: string): number {
  const [begin = Number.NaN, end = Number.NaN] = text.trim().split('\n').map(Number);
  if (!(end > begin)) throw new Error(`The script's clock says ${JSON.stringify(text)}`);
  return (end - begin) * 1000;
}

/** An image that already holds tests and solution, so that `docker run` needs no upload. */
function bakeImage(
  docker: (args: readonly string[]) => string,
  task: Task,
  solution: ReadonlyMap<string, Uint8Array>,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-bench-'));
  try {
    const lines = ['FROM repair-bench-test/base:bookworm', 'WORKDIR /app', 'RUN mkdir -p /logs/verifier'];
    const add = (name: string, bytes: Uint8Array, target: string): void => {
      writeFileSync(join(folder, name), bytes);
      lines.push(`COPY ${name} ${target}`);
    };
    let count = 0;
    const starter = task.files.get('environment/solution.py');
    if (starter) add('starter', starter.bytes, '/app/.buggy_solution.py');
    for (const [path, bytes] of solution) add(`solution-${(count += 1)}`, bytes, path);
    for (const file of task.files.values())
      if (file.path.startsWith('tests/')) add(`test-${(count += 1)}`, file.bytes, `/${file.path}`);
    lines.push('RUN chmod +x /tests/test.sh');
    const command = `(/tests/test.sh) > /logs/verifier/test-stdout.txt 2>&1; echo "$(<${CLOCK})"`;
    lines.push(`CMD ${JSON.stringify(['bash', '-c', command])}`);
    writeFileSync(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
    docker(['build', '--network', 'none', '--tag', IMAGE, folder]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1]?.endsWith('bench/verify.ts')) await benchVerify();
