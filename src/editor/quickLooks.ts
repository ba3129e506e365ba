/** Quick looks for people: one test or one file alone. No verdict: nothing of it is kept, and no view of a run shows it. */
import type * as vscode from 'vscode';
import type { RunPlan } from '../runtime/plan.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { LookPlan, LookResult, LookTarget, LookOptions } from '../verifier/quickLook.ts';
import type { SolutionState } from '../verifier/solution.ts';
import type { Task } from '../task/task.ts';
import type { OpenTask } from './openTask.ts';
import { NOT_STARTED, type RunQueue } from './runQueue.ts';
import type { Runtimes } from './runtimes.ts';
import { planOptionsFrom, readSettings } from './settings.ts';
import type { Snapshots } from './snapshots.ts';
import { requireTrust } from './trust.ts';

export interface QuickLookServices {
  readonly api: typeof vscode;
  readonly log: vscode.LogOutputChannel;
  readonly runtimes: Runtimes;
  /** Shared with the runs, so that together they are no more than a machine can bear. */
  readonly queue: RunQueue;
  readonly snapshots: Snapshots;
}

export interface SeenLook {
  readonly result: LookResult;
  /** Hash of the solution that was looked at. */
  readonly solution: string;
}

/** What a look needs to run. */
export interface ReadyLook {
  readonly plan: RunPlan;
  readonly runtime: Runtime;
  readonly solution: SolutionState;
}

export class QuickLooks {
  readonly #services: QuickLookServices;

  constructor(services: QuickLookServices) {
    this.#services = services;
  }

  /**
   * Saves the solution and runs a part of its tests, beside a run of the same task that may be under way. A second look
   * at the same task replaces the first. Undefined: cancelled.
   * @throws UserFacingError when it may not run; WorkspaceError when the workspace is damaged
   */
  async look(task: OpenTask, target: LookTarget): Promise<SeenLook | undefined> {
    requireTrust(this.#services.api);
    const seen = await this.#services.queue.run(keyOf(task), (signal) => this.#look(task, target, signal));
    return seen === NOT_STARTED || seen.result.kind === 'cancelled' ? undefined : seen;
  }

  /** Resolves when the container is gone. */
  async cancel(task: OpenTask): Promise<void> {
    await this.#services.queue.cancel(keyOf(task));
  }

  async #look(task: OpenTask, target: LookTarget, signal: AbortSignal): Promise<SeenLook> {
    const { log } = this.#services;
    const { lookOf, planQuickLook } = await import('../verifier/quickLook.ts');
    return prepareLook(this.#services, task, target, planQuickLook, signal, async ({ plan, runtime }) => {
      const line = (text: string): void => log.info(text);
      return lookOf(task.workspace.task, target, await runtime.run(plan, { log: line }, signal));
    });
  }
}

type PlanLook = (task: Task, solution: SolutionState, target: LookTarget, options: LookOptions) => LookPlan;

/**
 * Takes the solution as it is, plans a look at it and gives what `run` makes of that; what cannot be looked at needs no
 * engine to say so.
 * @throws UserFacingError when the solution cannot be saved; WorkspaceError when the workspace is damaged
 */
export async function prepareLook(
  { api, log, runtimes, snapshots }: Omit<QuickLookServices, 'queue'>,
  task: OpenTask,
  target: LookTarget,
  planLook: PlanLook,
  signal: AbortSignal,
  run: (ready: ReadyLook) => Promise<LookResult>,
): Promise<SeenLook> {
  const { solutionHash } = await import('../verifier/solution.ts');
  const solution = await snapshots.take(task);
  const seen = (result: LookResult): SeenLook => ({ result, solution: solutionHash(solution) });
  const settings = readSettings(api);
  const planned = planLook(task.workspace.task, solution, target, planOptionsFrom(settings));
  if (planned.kind === 'refused') return seen(planned);
  const chosen = await runtimes.choose(settings, signal);
  if (chosen.kind !== 'chosen') return seen(chosen);
  const what = target.kind === 'case' ? target.name : target.gate.title;
  log.info(`Looking at ${what} of ${task.state.taskId}`);
  return seen(await run({ plan: planned.plan, runtime: chosen.runtime, solution }));
}

/** A key of its own: a look neither replaces a run nor is replaced by one. */
function keyOf(task: OpenTask): string {
  return `${task.folder}\0look`;
}
