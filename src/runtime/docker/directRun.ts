// The short way: the verifier is the container's own command. One archive in, one archive out.
import type Docker from 'dockerode';
import type { PlannedFile } from '../plan.ts';
import { unlessAborted } from './abort.ts';
import { collect, unpackParcel } from './collect.ts';
import { endOf } from './ending.ts';
import type { AttachedOutput } from './output.ts';
import { HAND_OVER_MS, withParcel } from './parcel.ts';
import {
  attach,
  exitWithin,
  killContainer,
  putArchive,
  startContainer,
  withContainer,
  type RunContext,
  type RunRemains,
  type StepResult,
} from './runContext.ts';
import { packFiles } from './upload.ts';

/** How the verifier ended, and the state of its container then. */
export interface Ended extends StepResult {
  readonly state: ContainerState;
}
type ContainerState = Docker.ContainerInspectInfo['State'];

/**
 * Runs the verifier of a plan without oracle and removals.
 * @returns undefined when the image has content where the verifier wants an empty directory: nothing was run then,
 * as a container that was never started cannot be made to forget files.
 */
export async function runDirect(context: RunContext): Promise<RunRemains | undefined> {
  const { plan, phases, facts, signal } = context;
  const { command: planned, user, workdir, env, emptied, files } = plan.verifier;
  const { command, mark } = withParcel(planned, plan.collected) ?? { command: planned };
  const work = async (container: Docker.Container): Promise<RunRemains | undefined> => {
    phases.enter('upload');
    const blocked = await unlessAborted(facts.withContent(container, emptied), signal);
    if (blocked.length > 0) return undefined;
    const kept = await unlessAborted(facts.identities(container, keptPaths(files)), signal);
    const archive = await packFiles(emptied, files, kept);
    const [output] = await unlessAborted(
      Promise.all([attach(container, { mark }), putArchive(container, archive)]),
      signal,
    );
    try {
      const ended = await runCommand(context, container, output);
      return await remainsOf(context, container, output, ended);
    } finally {
      output.close();
    }
  };
  return withContainer(context, { command, user, workdir, env, init: true }, work, () => 'removed-later');
}

/** What the run left: as it was handed over, else as the engine gives it out. */
export async function remainsOf(
  { plan, phases, signal }: RunContext,
  container: Docker.Container,
  output: AttachedOutput,
  { state, ...verifier }: Ended,
): Promise<RunRemains> {
  phases.enter('collect');
  const parcel = output.parcelOf(state.ExitCode);
  const collection =
    (parcel && (await unpackParcel(parcel, plan))) ?? (await collect(container, plan, signal));
  return { verifier, collection, notes: oomNotes(state, verifier, plan.limits.memoryMb) };
}

/** Whether the short way is open for a plan. What was not looked for yet may still close it. */
export function isShort({ plan, facts }: RunContext): boolean {
  if (plan.oracle || plan.removed.length > 0) return false;
  return (facts.knownContent(plan.verifier.emptied)?.length ?? 0) === 0;
}

/** Paths of the files that keep the owner of what they replace. */
export function keptPaths(files: readonly PlannedFile[]): string[] {
  return files.filter(({ owner }) => owner === 'keep').map(({ path }) => path);
}

/** Out of memory, though the step went on: the kernel chose a process that the script could do without. */
export function oomNotes(state: ContainerState, { end }: StepResult, memoryMb: number): RunRemains['notes'] {
  if (!state.OOMKilled || (end.how === 'killed' && end.outOfMemory)) return [];
  const message = `The kernel killed a process that went over the memory limit of ${memoryMb} MiB.`;
  return [{ code: 'out-of-memory', message }];
}

async function runCommand(
  context: RunContext,
  container: Docker.Container,
  output: AttachedOutput,
): Promise<Ended> {
  const { phases } = context;
  phases.enter('verify');
  const called = performance.now();
  await startContainer(context, container);
  const ended = await awaitEnd(context, container, output, exitOf(container));
  const { StartedAt, FinishedAt } = ended.state;
  const wallMs = performance.now() - called;
  const verifyMs = Date.parse(FinishedAt) - Date.parse(StartedAt);
  if (verifyMs >= 0 && verifyMs < wallMs) phases.move('verify', 'create', wallMs - verifyMs);
  return ended;
}

/** The exit code; race-free after the start, unlike `next-exit`, as it comes at once when the container has ended. */
export function exitOf(container: Docker.Container): Promise<number> {
  return container.wait({ condition: 'not-running' }).then(exitCode);
}

/** Waits for the verifier to end, or for its time limit, which ends it; a shell that hands over is left to finish. */
export async function awaitEnd(
  context: RunContext,
  container: Docker.Container,
  output: AttachedOutput,
  exit: Promise<number>,
): Promise<Ended> {
  const { timeoutMs, command } = context.plan.verifier;
  const inTime = await exitWithin(context, exit, timeoutMs);
  const code = inTime ?? (output.hasParcelBegun ? await exitWithin(context, exit, HAND_OVER_MS) : undefined);
  if (code === undefined) await killContainer(container);
  const [state, printed] = await unlessAborted(
    Promise.all([container.inspect().then(({ State }) => State), output.finish()]),
    context.signal,
  );
  const end = code === undefined ? timedOut(timeoutMs) : endOf(code, state.OOMKilled, printed, command[0]);
  return { end, output: printed, state };
}

function timedOut(afterMs: number): StepResult['end'] {
  return { how: 'timed-out', afterMs };
}

function exitCode(answer: { StatusCode: number }): number {
  return answer.StatusCode;
}
