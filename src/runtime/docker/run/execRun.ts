/** The run by exec: steps run one after another in an idle container, for plans with an oracle or removals. */
import type Docker from 'dockerode';
import { setTimeout as delay } from 'node:timers/promises';
import { inWords } from '../../../fault/remedy.ts';
import { emptiedWarning } from '../../runtimeWarnings.ts';
import type { RunStep } from '../../plan.ts';
import type { AttachedSinks } from '../../runtime.ts';
import { joinWords } from '../../../wording/joinWords.ts';
import { unlessAborted } from '../engine/abort.ts';
import { collect } from '../container/collect.ts';
import { environmentOf } from '../container/container.ts';
import { processEnd, refusedStart } from '../container/ending.ts';
import { EngineFailure, statusOf } from '../engine/failures.ts';
import { AttachedOutput } from '../container/output.ts';
import { memoryWarnings } from './remains.ts';
import {
  exitWithin,
  killContainer,
  putArchive,
  startContainer,
  withContainer,
  type RunContext,
  type RunRemains,
  type StepResult,
} from './runContext.ts';
import { keptPaths, packFiles, readIdentities } from '../container/upload.ts';

// Process 1 of a container cannot be killed from inside, and this one reaps what others leave behind.
export const IDLE = ['sh', '-c', "trap 'exit 0' TERM; while :; do sleep 3600 & wait; done"];
const REMOVE = 'rm -rf -- "$@"';
// A directory that is a volume can be emptied but not removed.
const EMPTY =
  'for d do rm -rf -- "$d" 2>/dev/null; mkdir -p -- "$d" && chmod 0777 -- "$d" && [ -z "$(ls -A -- "$d")" ] || exit 1; done';
const ROOT = '0:0';
const HOUSEKEEPING_MS = 120_000;
const FIRST_POLL_MS = 20;
const LAST_POLL_MS = 1000;

interface Command {
  readonly command: readonly string[];
  readonly user?: string | undefined;
  readonly workdir?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/**
 * Runs a plan's oracle, if it has one, and its verifier.
 * @param attached receives the verifier's output and may write to its input.
 */
export async function runByExec(context: RunContext, attached?: AttachedSinks): Promise<RunRemains> {
  const { plan, phases, signal, facts } = context;
  const warnings: RunRemains['warnings'] = [];
  return withContainer(context, { command: IDLE, env: {}, init: false }, async (container) => {
    const blocked = await unlessAborted(facts.withContent(container, plan.verifier.emptied), signal);
    for (const path of blocked) warnings.push(emptiedWarning(path));
    await startContainer(context, container);
    phases.enter('upload');
    await removePlanned(context, container);
    const oracle = plan.oracle && (await runOracle(context, container, plan.oracle));
    await putInPlace(context, container, plan.verifier);
    phases.enter('verify');
    const { late, ...verifier } = await runCommand(context, container, plan.verifier, attached);
    if (late) await killContainer(container);
    phases.enter('collect');
    const state = (await unlessAborted(container.inspect(), signal)).State;
    const collection = await collect(container, plan, signal);
    warnings.push(...memoryWarnings(state, verifier, plan.limits.memoryMb));
    return { ...(oracle && { oracle }), verifier, collection, warnings };
  });
}

async function runOracle(
  context: RunContext,
  container: Docker.Container,
  step: RunStep,
): Promise<StepResult> {
  await putInPlace(context, container, step);
  context.phases.enter('oracle');
  const { late, ...result } = await runCommand(context, container, step);
  // An exec cannot be killed; a restart ends all processes and keeps the files.
  if (late) await unlessAborted(container.restart({ t: 0 }), context.signal);
  return result;
}

/** Deletes the paths that the plan removes. */
export async function removePlanned(context: RunContext, container: Docker.Container): Promise<void> {
  const { removed } = context.plan;
  if (removed.length > 0) await housekeep(context, container, REMOVE, removed);
}

/** Empties folders and writes the files of a step. */
export async function putInPlace(
  context: RunContext,
  container: Docker.Container,
  step: RunStep,
): Promise<void> {
  context.phases.enter('upload');
  if (step.emptied.length > 0) await housekeep(context, container, EMPTY, step.emptied);
  if (step.files.length === 0) return;
  const kept = await unlessAborted(readIdentities(container, keptPaths(step.files)), context.signal);
  const archive = await packFiles([], step.files, kept);
  await unlessAborted(putArchive(container, archive), context.signal);
}

/** Runs a fixed script as root; paths are its arguments, never script text. */
async function housekeep(
  context: RunContext,
  container: Docker.Container,
  script: string,
  paths: readonly string[],
): Promise<void> {
  const command = ['sh', '-c', script, 'sh', ...paths];
  const { end, output } = await runCommand(context, container, {
    command,
    user: ROOT,
    workdir: '/',
    timeoutMs: HOUSEKEEPING_MS,
  });
  if (end.how === 'exited' && end.code === 0) return;
  throw new EngineFailure({
    reason: 'unexpected',
    message: `Preparing ${joinWords(paths)} in the container failed.`,
    detail: output || JSON.stringify(end),
    remedies: [
      inWords(
        'Check that the image has sh, rm, mkdir, chmod and ls, and that these paths can be written by root.',
      ),
    ],
  });
}

async function runCommand(
  context: RunContext,
  container: Docker.Container,
  { command, user, workdir, env, timeoutMs }: Command,
  attached?: AttachedSinks,
): Promise<StepResult & { readonly late: boolean }> {
  const { signal } = context;
  const started = await unlessAborted(
    startExec(
      container,
      {
        Cmd: [...command],
        AttachStdin: attached !== undefined,
        AttachStdout: true,
        AttachStderr: true,
        Tty: false,
        ...(user !== undefined && { User: user }),
        ...(workdir !== undefined && { WorkingDir: workdir }),
        ...(env && { Env: environmentOf(env) }),
      },
      attached,
    ),
    signal,
  ).catch((error: unknown) => {
    const end = refusedStart(error);
    if (end) return end;
    throw error;
  });
  if ('how' in started) return { end: started, output: '', late: false };
  const { output } = started;
  const watch = new AbortController();
  try {
    const exit = exitOf(started.exec, output, watch.signal);
    const code = await exitWithin(context, exit, timeoutMs);
    if (code === undefined) {
      output.close();
      return { end: { how: 'timed-out', afterMs: timeoutMs }, output: await output.finish(), late: true };
    }
    const printed = await output.finish();
    const outOfMemory = code > 128 && (await container.inspect()).State.OOMKilled;
    return { end: processEnd(code, outOfMemory, printed), output: printed, late: false };
  } finally {
    watch.abort();
    output.close();
  }
}

async function startExec(
  container: Docker.Container,
  options: Docker.ExecCreateOptions,
  attached: AttachedSinks | undefined,
): Promise<{ exec: Docker.Exec; output: AttachedOutput }> {
  const exec = await container.exec(options);
  const stream = await exec.start({ hijack: true, stdin: attached !== undefined });
  const output = new AttachedOutput(stream, { listener: attached });
  attached?.ready(output);
  return { exec, output };
}

/**
 * The exit code of an exec. The end of its output is only a hint that it has ended: a child that keeps stdout open
 * outlives it, so the engine is asked now and then as well.
 */
async function exitOf(exec: Docker.Exec, output: AttachedOutput, watching: AbortSignal): Promise<number> {
  let pause = FIRST_POLL_MS;
  let ended = false;
  const ending = output.ended.then(() => {
    ended = true;
  });
  while (!watching.aborted) {
    await Promise.race([ended ? delay(FIRST_POLL_MS) : ending, delay(pause)]);
    const state = await exec.inspect().catch((error: unknown) => {
      if (statusOf(error) === 404) return { Running: false, ExitCode: 128 + 9 };
      throw error;
    });
    if (!state.Running && state.ExitCode !== null) return state.ExitCode;
    pause = Math.min(pause * 2, LAST_POLL_MS);
  }
  return Number.NaN;
}
