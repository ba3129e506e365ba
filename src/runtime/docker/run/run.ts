/** Runs a plan on an engine, directly where possible, and makes its evidence. */
import { EVIDENCE_VERSION, type Evidence } from '../../evidence.ts';
import { limitWarnings } from '../container/container.ts';
import { canRunDirectly, runDirect } from './directRun.ts';
import { CannotStart } from '../container/ending.ts';
import { runByExec } from './execRun.ts';
import type { RunContext, RunRemains } from './runContext.ts';
import type { WarmContainer } from './warmContainer.ts';
import { runWarm } from './warmRun.ts';

/**
 * Runs a plan in an image that is on the engine. When this settles, nothing of it runs any more, and its container is
 * gone or its removal is under way.
 * @param steps runs the steps, as {@link runFastest} does.
 * @throws EngineFailure, Cancelled, or what the client of the engine throws.
 */
export async function runInContainer(
  context: RunContext,
  steps: () => Promise<RunRemains>,
): Promise<Evidence> {
  const { engine, image, plan, phases } = context;
  const remains = await steps().catch((error: unknown): RunRemains => {
    if (!(error instanceof CannotStart)) throw error;
    const nothing = { files: [], cut: false, warnings: [] };
    return { verifier: { end: error.end, output: '' }, collection: nothing, warnings: [] };
  });
  const { oracle, verifier, collection } = remains;
  return {
    version: EVIDENCE_VERSION,
    runtime: { kind: 'docker', name: engine.name, image, platform: engine.platform },
    ...(oracle && { oracle }),
    verifier,
    collected: collection.files,
    collectionCut: collection.cut,
    notes: [...limitWarnings(plan, engine), ...remains.warnings, ...collection.warnings],
    clocks: phases.clocks(),
  };
}

/**
 * Runs a plan in the fastest possible way.
 * @param warm a container that was started ahead for such a plan.
 */
export async function runFastest(context: RunContext, warm?: WarmContainer): Promise<RunRemains> {
  const warmRemains = warm && (await runWarm(context, warm));
  if (warmRemains) return warmRemains;
  const remains = canRunDirectly(context) ? await runDirect(context) : undefined;
  return remains ?? runByExec(context);
}
