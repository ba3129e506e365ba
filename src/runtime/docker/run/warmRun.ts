/** A run in a container that was started ahead. */
import { unlessAborted } from '../engine/abort.ts';
import { awaitEnd, collectRemains } from './remains.ts';
import { ownContainer, type RunContext, type RunRemains } from './runContext.ts';
import { keptPaths, packFiles } from '../container/upload.ts';
import type { WarmContainer } from './warmContainer.ts';

/**
 * Runs the verifier of a plan in a container that was made for it, and ends the container.
 * @returns undefined when the container was lost before the verifier began: nothing was run then.
 */
export async function runWarm(context: RunContext, warm: WarmContainer): Promise<RunRemains | undefined> {
  const { plan, facts, phases, signal } = context;
  const { emptied, files } = plan.verifier;
  const { container, output } = warm;
  const work = async (): Promise<RunRemains | undefined> => {
    phases.enter('upload');
    const kept = await unlessAborted(facts.identities(container, keptPaths(files)), signal);
    const archive = await packFiles(emptied, files, kept);
    if (!(await unlessAborted(warm.begin(archive), signal))) return undefined;
    phases.enter('verify');
    const ended = await awaitEnd(context, container, output, warm.exit);
    return collectRemains(context, container, output, ended);
  };
  try {
    return await ownContainer(context, Promise.resolve(container), work, (remains) =>
      remains ? 'removed-later' : 'removed',
    );
  } finally {
    output.close();
  }
}
