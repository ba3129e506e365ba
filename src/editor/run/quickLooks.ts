/** Quick looks for people: one test or one file alone. No verdict: nothing of it is kept, and no view of a run shows it. */
import type { RunPlan } from '../../runtime/plan.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { LookPlan, LookRequest, LookResult, LookTarget } from '../../verifier/look/quickLook.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { OpenTask } from '../task/openTask.ts';
import { runKey } from './runKeys.ts';
import type { RunServices } from './runServices.ts';
import { planOptionsFrom, readSettings } from '../platform/settings.ts';
import { requireTrust } from '../platform/trust.ts';

export interface SeenLook {
  readonly result: Exclude<LookResult, { kind: 'cancelled' }>;
  /** Hash of the solution that was looked at. */
  readonly solution: string;
}

/** A debug session waits for no turn of a run. */
export type LookServices = Pick<RunServices, 'api' | 'log' | 'runtimes' | 'snapshots'>;

/** What a look needs to run. */
export interface ReadyLook {
  readonly plan: RunPlan;
  readonly runtime: Runtime;
  readonly solution: SolutionState;
}

export class QuickLooks {
  readonly #services: RunServices;

  constructor(services: RunServices) {
    this.#services = services;
  }

  /**
   * Saves the solution and runs a part of its tests, beside a run of the same task that may be under way. A second look
   * at the same task replaces the first. Undefined: cancelled, by that or by `outer`.
   * @throws UserFacingError when it may not run; WorkspaceError when the workspace is damaged
   */
  async look(task: OpenTask, target: LookTarget, outer: AbortSignal): Promise<SeenLook | undefined> {
    requireTrust(this.#services.api);
    const seen = await this.#services.queue.run(
      runKey(task, 'trial'),
      (signal) => this.#look(task, target, signal),
      outer,
    );
    return seen.kind === 'ran' ? seen.value : undefined;
  }

  async #look(task: OpenTask, target: LookTarget, signal: AbortSignal): Promise<SeenLook | undefined> {
    const { log } = this.#services;
    const { lookOf, planQuickLook } = await import('../../verifier/look/quickLook.ts');
    return prepareLook(this.#services, task, target, planQuickLook, signal, async ({ plan, runtime }) => {
      const line = (text: string): void => log.info(text);
      return lookOf(task.workspace.task, target, await runtime.run(plan, { log: line }, signal));
    });
  }
}

type PlanLook = (request: LookRequest) => LookPlan;

/**
 * Takes the solution as it is, plans a look at it and gives what `run` makes of that; what cannot be looked at needs no
 * engine to say so. Undefined: cancelled.
 * @throws UserFacingError when the solution cannot be saved; WorkspaceError when the workspace is damaged
 */
export async function prepareLook(
  { api, log, runtimes, snapshots }: LookServices,
  task: OpenTask,
  target: LookTarget,
  planLook: PlanLook,
  signal: AbortSignal,
  run: (ready: ReadyLook) => Promise<LookResult>,
): Promise<SeenLook | undefined> {
  const { solutionHash } = await import('../../verifier/plan/solution.ts');
  const solution = await snapshots.take(task);
  const seen = (result: LookResult): SeenLook | undefined =>
    result.kind === 'cancelled' ? undefined : { result, solution: solutionHash(solution) };
  const settings = readSettings(api);
  const options = planOptionsFrom(settings);
  const planned = planLook({ task: task.workspace.task, solution, target, options });
  if (planned.kind === 'refused') return seen(planned);
  const chosen = await runtimes.choose(settings, signal);
  if (chosen.kind !== 'chosen') return seen(chosen);
  const what = target.kind === 'case' ? target.name : target.gate.title;
  log.info(`Looking at ${what} of ${task.state.taskId}`);
  return seen(await run({ plan: planned.plan, runtime: chosen.runtime, solution }));
}
