/** Prepares a runtime for the next run of a task, so that its verdict comes sooner. */
import type { Runtime } from '../runtime/runtime.ts';
import type { Task } from '../task/task.ts';
import { planRun, type PlanOptions } from './plan/plan.ts';
import type { SolutionState } from './plan/solution.ts';

export interface WarmUpRequest {
  readonly task: Task;
  readonly solution: SolutionState;
  readonly options: Omit<PlanOptions, 'oracle'>;
}

/**
 * Prepares a run of `task` with these options; the solution may change until then.
 * Resolves with whether that run will start sooner; never throws.
 */
export async function warmUp(
  { task, solution, options }: WarmUpRequest,
  { runtime, signal }: { readonly runtime: Runtime; readonly signal: AbortSignal },
): Promise<boolean> {
  if (!runtime.warmUp) return false;
  const planned = planRun(task, solution, options);
  return planned.kind === 'planned' && runtime.warmUp(planned.plan, signal);
}
