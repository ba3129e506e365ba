/**
 * How the verifier of a container ended, and what it left: the same for one started at once and one started ahead.
 */
import type Docker from 'dockerode';
import { unlessAborted } from '../engine/abort.ts';
import { collect, unpackParcel } from '../container/collect.ts';
import { endOf } from '../container/ending.ts';
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
export interface Ended extends StepResult {
  readonly state: ContainerState;
}
type ContainerState = Docker.ContainerInspectInfo['State'];

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
  const end =
    code === undefined
      ? ({ how: 'timed-out', afterMs: timeoutMs } as const)
      : endOf(code, state.OOMKilled, printed, command[0]);
  return { end, output: printed, state };
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

/** Out of memory, though the step went on: the kernel chose a process that the script could do without. */
export function oomNotes(state: ContainerState, { end }: StepResult, memoryMb: number): RunRemains['notes'] {
  if (!state.OOMKilled || (end.how === 'killed' && end.outOfMemory)) return [];
  const message = `The kernel killed a process that went over the memory limit of ${memoryMb} MiB.`;
  return [{ code: 'out-of-memory', message }];
}
