/** The direct run: the verifier is the container's own command. One archive in, one archive out. */
import type Docker from 'dockerode';
import { unlessAborted } from '../engine/abort.ts';
import type { AttachedOutput } from '../container/output.ts';
import { withParcel } from '../container/parcel.ts';
import { awaitEnd, type VerifierEnd, collectRemains } from './remains.ts';
import {
  attach,
  exitCodeOf,
  putArchive,
  startContainer,
  withContainer,
  type RunContext,
  type RunRemains,
} from './runContext.ts';
import { keptPaths, packFiles } from '../container/upload.ts';

/**
 * Runs the verifier of a plan without oracle and removals.
 * @returns undefined, and nothing ran, when the image has content where the verifier needs an empty directory: files
 * cannot be removed from a container that was never started.
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
      return await collectRemains(context, container, output, ended);
    } finally {
      output.close();
    }
  };
  return withContainer(context, { command, user, workdir, env, init: true }, work, () => 'removed-later');
}

/** Whether a plan can run directly, as far as is known; content in the image may still prevent it. */
export function canRunDirectly({ plan, facts }: RunContext): boolean {
  if (plan.oracle || plan.removed.length > 0) return false;
  return (facts.knownContent(plan.verifier.emptied)?.length ?? 0) === 0;
}

async function runCommand(
  context: RunContext,
  container: Docker.Container,
  output: AttachedOutput,
): Promise<VerifierEnd> {
  const { phases } = context;
  phases.enter('verify');
  const called = performance.now();
  await startContainer(context, container);
  const ended = await awaitEnd(context, container, output, exitCodeOf(container));
  const { StartedAt, FinishedAt } = ended.state;
  const wallMs = performance.now() - called;
  const verifyMs = Date.parse(FinishedAt) - Date.parse(StartedAt);
  if (verifyMs >= 0 && verifyMs < wallMs) phases.move('verify', 'create', wallMs - verifyMs);
  return ended;
}
