/** Trials: one test or the tests of one gate alone. A trial is no verdict: it is not saved, and no view of runs shows it. */
import type { RunPlan } from '../../runtime/plan.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { TrialPlan, TrialRequest, TrialResult, TrialTarget } from '../../verifier/trial/trial.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { OpenTask } from '../task/openTask.ts';
import { runKey } from './runKeys.ts';
import type { RunContext } from './runContext.ts';
import { planOptionsFrom } from '../platform/settings.ts';
import { requireTrust } from '../platform/trust.ts';

export interface FinishedTrial {
  readonly result: Exclude<TrialResult, { kind: 'cancelled' }>;
  /** Hash of the solution that was tried. */
  readonly solution: string;
}

/** What a trial needs to run. */
export interface ReadyTrial {
  readonly plan: RunPlan;
  readonly runtime: Runtime;
  readonly solution: SolutionState;
}

export class Trials {
  readonly #context: RunContext;

  constructor(context: RunContext) {
    this.#context = context;
  }

  /**
   * Saves the solution and runs a part of the tests, even while a run of the same task is under way. A second trial of the
   * same task replaces the first. Undefined: cancelled or replaced.
   * @throws UserFacingError when it may not run; WorkspaceError when the workspace is damaged
   */
  async run(task: OpenTask, target: TrialTarget, outer: AbortSignal): Promise<FinishedTrial | undefined> {
    requireTrust(this.#context.api);
    const ending = await this.#context.queue.run(
      runKey(task, 'trial'),
      (signal) => this.#run(task, target, signal),
      outer,
    );
    return ending.kind === 'ran' ? ending.value : undefined;
  }

  async #run(task: OpenTask, target: TrialTarget, signal: AbortSignal): Promise<FinishedTrial | undefined> {
    const { log } = this.#context;
    const { trialResult, planTrial } = await import('../../verifier/trial/trial.ts');
    return prepareTrial(
      this.#context,
      { task, target, plan: planTrial, signal },
      async ({ plan, runtime }) => {
        const line = (text: string): void => log.info(text);
        return trialResult(task.workspace.task, target, await runtime.run(plan, { log: line }, signal));
      },
    );
  }
}

/** What is tried, and how its run is planned. */
export interface TrialRun {
  readonly task: OpenTask;
  readonly target: TrialTarget;
  readonly plan: (request: TrialRequest) => TrialPlan;
  readonly signal: AbortSignal;
}

/**
 * Reads the solution as it is, plans a trial of it and hands the plan to `run`. A trial that cannot be planned needs no
 * engine to say so. Undefined: cancelled.
 * @throws UserFacingError when the solution cannot be saved; WorkspaceError when the workspace is damaged
 */
export async function prepareTrial(
  { log, runtimes, settings, snapshots }: RunContext,
  { task, target, plan, signal }: TrialRun,
  run: (ready: ReadyTrial) => Promise<TrialResult>,
): Promise<FinishedTrial | undefined> {
  const { solutionHash } = await import('../../verifier/plan/solution.ts');
  const name = `${task.workspace.facts.task}: trial of ${target.kind === 'case' ? target.name : target.gate.title}`;
  const solution = await snapshots.take(task);
  const finished = (result: TrialResult): FinishedTrial | undefined => {
    log.debug(`${name} ended: ${result.kind}`);
    return result.kind === 'cancelled' ? undefined : { result, solution: solutionHash(solution) };
  };
  const now = settings.current;
  const planned = plan({ task: task.workspace.task, solution, target, options: planOptionsFrom(now) });
  if (planned.kind === 'refused') return finished(planned);
  const chosen = await runtimes.choose(now, signal);
  if (chosen.kind !== 'chosen') return finished(chosen);
  log.info(name);
  return finished(await run({ plan: planned.plan, runtime: chosen.runtime, solution }));
}
