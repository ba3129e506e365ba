/** Trials for people: one test or one file alone. No verdict: nothing of it is kept, and no view of a run shows it. */
import type { RunPlan } from '../../runtime/plan.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { TrialPlan, TrialRequest, TrialResult, TrialTarget } from '../../verifier/trial/trial.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { OpenTask } from '../task/openTask.ts';
import { runKey } from './runKeys.ts';
import type { RunServices } from './runServices.ts';
import { planOptionsFrom, readSettings } from '../platform/settings.ts';
import { requireTrust } from '../platform/trust.ts';

export interface FinishedTrial {
  readonly result: Exclude<TrialResult, { kind: 'cancelled' }>;
  /** Hash of the solution that was tried. */
  readonly solution: string;
}

/** A debug session waits for no turn of a run. */
export type TrialServices = Pick<RunServices, 'api' | 'log' | 'runtimes' | 'snapshots'>;

/** What a trial needs to run. */
export interface ReadyTrial {
  readonly plan: RunPlan;
  readonly runtime: Runtime;
  readonly solution: SolutionState;
}

export class Trials {
  readonly #services: RunServices;

  constructor(services: RunServices) {
    this.#services = services;
  }

  /**
   * Saves the solution and runs a part of its tests, beside a run of the same task that may be under way. A second trial
   * of the same task replaces the first. Undefined: cancelled, by that or by `outer`.
   * @throws UserFacingError when it may not run; WorkspaceError when the workspace is damaged
   */
  async run(task: OpenTask, target: TrialTarget, outer: AbortSignal): Promise<FinishedTrial | undefined> {
    requireTrust(this.#services.api);
    const seen = await this.#services.queue.run(
      runKey(task, 'trial'),
      (signal) => this.#run(task, target, signal),
      outer,
    );
    return seen.kind === 'ran' ? seen.value : undefined;
  }

  async #run(task: OpenTask, target: TrialTarget, signal: AbortSignal): Promise<FinishedTrial | undefined> {
    const { log } = this.#services;
    const { trialResult, planTrial } = await import('../../verifier/trial/trial.ts');
    return prepareTrial(this.#services, task, target, planTrial, signal, async ({ plan, runtime }) => {
      const line = (text: string): void => log.info(text);
      return trialResult(task.workspace.task, target, await runtime.run(plan, { log: line }, signal));
    });
  }
}

type PlanTrial = (request: TrialRequest) => TrialPlan;

/**
 * Reads the solution as it is, plans a trial of it and hands the plan to `run`. A trial that cannot be planned needs no
 * engine to say so. Undefined: cancelled.
 * @throws UserFacingError when the solution cannot be saved; WorkspaceError when the workspace is damaged
 */
export async function prepareTrial(
  { api, log, runtimes, snapshots }: TrialServices,
  task: OpenTask,
  target: TrialTarget,
  plan: PlanTrial,
  signal: AbortSignal,
  run: (ready: ReadyTrial) => Promise<TrialResult>,
): Promise<FinishedTrial | undefined> {
  const { solutionHash } = await import('../../verifier/plan/solution.ts');
  const solution = await snapshots.take(task);
  const seen = (result: TrialResult): FinishedTrial | undefined =>
    result.kind === 'cancelled' ? undefined : { result, solution: solutionHash(solution) };
  const settings = readSettings(api);
  const options = planOptionsFrom(settings);
  const planned = plan({ task: task.workspace.task, solution, target, options });
  if (planned.kind === 'refused') return seen(planned);
  const chosen = await runtimes.choose(settings, signal);
  if (chosen.kind !== 'chosen') return seen(chosen);
  const what = target.kind === 'case' ? target.name : target.gate.title;
  log.info(`Trial of ${what} in ${task.state.taskId}`);
  return seen(await run({ plan: planned.plan, runtime: chosen.runtime, solution }));
}
