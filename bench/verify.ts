// What one verify costs around the script itself: against a bare `docker run` of the same image and script, in turn.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clocks } from '../src/runtime/evidence.ts';
import { resolveSubject, verify } from '../src/verifier/verify.ts';
import { verifyOptions, sampleTask, subjectOf } from '../test/host/sampleTasks.ts';
import { dockerRuntime, readyEngine } from '../test/engine/dockerUnderTest.ts';
import { median } from './statistics.ts';

const TASK = 'bugsinpy-0001';
const RUNS = 10;
const IMAGE = 'repair-bench-bench/verify:latest';

/** Verifies the gold of a sample task and runs the same script bare, alternating; prints medians and their ratio. */
export async function benchVerify(): Promise<void> {
  const engine = await readyEngine();
  const task = await sampleTask(TASK);
  const { runtime } = dockerRuntime(engine);
  const subject = subjectOf(task, 'gold');
  const options = await verifyOptions();
  const clocks: Clocks[] = [];
  const once = async (): Promise<void> => {
    const verdict = await verify(task, subject, runtime, options, {}, new AbortController().signal);
    if (verdict.outcome !== 'scored' || verdict.reward !== 1)
      throw new Error(`The gold got ${JSON.stringify(verdict)}`);
    clocks.push(verdict.clocks);
  };
  const docker = (args: readonly string[]): void => {
    const run = spawnSync('docker', ['--host', engine.host, ...args], { encoding: 'utf8' });
    if (run.status !== 0)
      throw new Error(
        `docker ${args[0] ?? ''} ended with ${run.status}: ${run.stderr || run.error?.message}`,
      );
  };
  const limits = ['--cpus', '1', '--memory', '2048m', '--pids-limit', '1024'];
  const bare = (): void => {
    docker(['run', '--rm', '--network', 'none', '--security-opt', 'no-new-privileges', ...limits, IMAGE]);
  };

  await once();
  bakeImage(docker, task, resolveSubject(task, subject).solution.files);
  bare();
  clocks.length = 0;
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    ours.push(await timed(once));
    theirs.push(await timed(() => bare()));
  }
  docker(['image', 'rm', '--force', IMAGE]);
  await runtime.dispose();

  const phase = (name: keyof Clocks): string =>
    `${name} ${Math.round(median(clocks.map((clock) => clock[name] ?? 0)))}`;
  console.log(`verify against a bare docker run (${TASK}, gold; alternating, median of ${RUNS})`);
  console.log(`  verify      ${median(ours).toFixed(0)} ms`);
  console.log(`  docker run  ${median(theirs).toFixed(0)} ms`);
  console.log(`  ratio       ${(median(ours) / median(theirs)).toFixed(2)}   (aim: at most 1.5)`);
  console.log(
    `  phases      ${(['create', 'upload', 'verify', 'collect', 'remove'] as const).map(phase).join(' · ')} ms`,
  );
}

/** An image that already holds tests and solution, so that `docker run` needs no upload. */
function bakeImage(
  docker: (args: readonly string[]) => void,
  task: Awaited<ReturnType<typeof sampleTask>>,
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
    lines.push('CMD ["bash", "-c", "(/tests/test.sh) > /logs/verifier/test-stdout.txt 2>&1"]');
    writeFileSync(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
    docker(['build', '--network', 'none', '--tag', IMAGE, folder]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function timed(work: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

if (process.argv[1]?.endsWith('bench/verify.ts')) await benchVerify();
