/**
 * Waits for the verifier of a container and collects what it left, whether the container was started at once or ahead.
 */
import type Docker from 'dockerode';
import { unlessAborted } from '../engine/abort.ts';
import { collect, unpackParcel } from '../container/collect.ts';
import { processEnd } from '../container/ending.ts';
import type { AttachedOutput } from '../container/output.ts';
import { HAND_OVER_MS } from '../container/parcel.ts';
import {
  exitWithin,
  killContainer,
  type RunContext,
  type RunRemains,
  type StepResult,
} from './runContext.ts';

/** How the verifier ended, and the state of its container then. */
export interface VerifierEnd extends StepResult {
  readonly state: ContainerState;
}
type ContainerState = Docker.ContainerInspectInfo['State'];

/** Waits for the verifier until its time limit, then kills it; a shell that has begun its parcel may finish. */
export async function awaitEnd(
  context: RunContext,
  container: Docker.Container,
  output: AttachedOutput,
  exit: Promise<number>,
): Promise<VerifierEnd> {
  const { timeoutMs, command } = context.plan.verifier;
  const inTime = await exitWithin(context, exit, timeoutMs);
  const code = inTime ?? (output.hasParcelBegun ? await exitWithin(context, exit, HAND_OVER_MS) : undefined);
  if (code === undefined) await killContainer(container);
  const [state, printed] = await unlessAborted(
    Promise.all([container.inspect().then(({ State }) => State), output.finish()]),
    context.signal,
  );
  const end =
    code === undefined
      ? ({ how: 'timed-out', afterMs: timeoutMs } as const)
      : processEnd(code, state.OOMKilled, printed, command[0]);
  return { end, output: printed, state };
}

/** Collects what the run left: from the parcel, else from the engine. */
export async function collectRemains(
  { plan, phases, signal }: RunContext,
  container: Docker.Container,
  output: AttachedOutput,
  { state, ...verifier }: VerifierEnd,
): Promise<RunRemains> {
  phases.enter('collect');
  const parcel = output.parcelOf(state.ExitCode);
  const collection =
    (parcel && (await unpackParcel(parcel, plan))) ?? (await collect(container, plan, signal));
  return { verifier, collection, warnings: memoryWarnings(state, verifier, plan.limits.memoryMb) };
}

/** Warns that the kernel killed a process for its memory, although the step continued without it. */
export function memoryWarnings(
  state: ContainerState,
  { end }: StepResult,
  memoryMb: number,
): RunRemains['warnings'] {
  if (!state.OOMKilled || (end.how === 'killed' && end.outOfMemory)) return [];
  const message = `The kernel killed a process that went over the memory limit of ${memoryMb} MiB.`;
  return [{ code: 'out-of-memory', message }];
}
