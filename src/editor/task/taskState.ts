/** What the editor knows of one open task at a moment. Every view is drawn from this and from nothing else. */
import type { Fault } from '../../fault/remedy.ts';
import type { Phase } from '../../runtime/runtime.ts';
import type { ContainerPath } from '../../task/containerPath.ts';
import type { Verdict } from '../../verifier/verdict/verdict.ts';
import { outcomeState } from '../../verifier/verdict/verdictFacts.ts';

/** What runs for a task right now. */
export type Activity =
  | { readonly kind: 'idle' }
  /** The run waits for those of other tasks. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running'; readonly phase: Phase | undefined }
  /** Its container is being removed. */
  | { readonly kind: 'cancelling' };

/** A run that was cancelled is not shown. */
export type ShownVerdict = Exclude<Verdict, { outcome: 'cancelled' }>;

/** A verdict as it is shown. */
export interface ShownRun {
  /** Which run it is: the id of a run of this window, or the host path of its file in `runs/`. */
  readonly id: string;
  readonly verdict: ShownVerdict;
  /** When it was finished, ISO 8601. */
  readonly at: string;
  /** True as soon as the solution is not the one that the verdict holds for. */
  readonly outdated: boolean;
  /** The solution it holds for; undefined when it was not kept and is not the one that is there now. */
  readonly snapshot: ReadonlyMap<ContainerPath, Uint8Array> | undefined;
}

export interface TaskState {
  /** Host path of the workspace. */
  readonly folder: string;
  readonly taskId: string;
  readonly solution: 'unchanged' | 'changed' | 'unreadable';
  /** Why the solution cannot be read. */
  readonly unreadable?: Fault;
  /** Whether that is because the workspace was moved or deleted. */
  readonly gone?: boolean;
  /** Whether its verifier compares the solution with the starter, and so refuses what was not edited. */
  readonly refusesStarter: boolean;
  /** Whether the workspace holds a gold fix, whatever state that is in. */
  readonly goldFix: boolean;
  readonly activity: Activity;
  readonly run: ShownRun | undefined;
}

/** The one word that sums a state up. */
export type LiveState =
  'running' | 'waiting' | 'cancelling' | 'unreadable' | 'outdated' | 'verified' | 'unchanged' | 'changed';

export function liveStateOf(state: TaskState): LiveState {
  if (state.activity.kind !== 'idle') return state.activity.kind;
  if (state.solution === 'unreadable') return 'unreadable';
  if (!state.run || isStarterAgain(state)) return state.solution;
  return state.run.outdated ? 'outdated' : 'verified';
}

/** Whether the solution was edited back to the starter since the last run: the views then say "unchanged" and show no verdict. */
export function isStarterAgain({ solution, run }: TaskState): boolean {
  return solution === 'unchanged' && run?.outdated === true;
}

/** Whether the last verdict holds for the solution as it is, with a reward that makes a gold fix. */
export function canSaveGold(state: TaskState | undefined): boolean {
  const run = state?.run;
  return run !== undefined && !run.outdated && outcomeState(run.verdict) === 'passed';
}
