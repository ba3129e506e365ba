/** What happens to a run, in order: for those who show runs from the moment they were asked for. */
import type { RunStarter } from '../../workspace/runs/runs.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { ShownVerdict } from '../task/taskState.ts';

/** A run that was asked for, however it was started. Its identity is the object. */
export interface AskedRun {
  readonly task: OpenTask;
  readonly startedBy: RunStarter;
}

export type RunEvent =
  | { readonly kind: 'asked'; readonly run: AskedRun }
  /** Its solution is saved and read; what is shown of an earlier run goes. */
  | { readonly kind: 'started'; readonly run: AskedRun }
  /** A line that a build or the engine printed. */
  | { readonly kind: 'said'; readonly run: AskedRun; readonly line: string }
  /** The last event of every run. No verdict: it was cancelled or replaced, or `error` says why it did not run. */
  | {
      readonly kind: 'ended';
      readonly run: AskedRun;
      readonly verdict: ShownVerdict | undefined;
      readonly error?: unknown;
    };
