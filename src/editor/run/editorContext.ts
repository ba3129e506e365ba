/** What a room above the runs takes: everything of a window that nearly all of them use. */
import type { OpenTask } from '../task/openTask.ts';
import type { ShownVerdict } from '../task/taskState.ts';
import type { RunContext } from './runContext.ts';
import type { RunService } from './runService.ts';

export interface EditorContext extends RunContext {
  readonly runs: RunService;
}

/** Verifies and, when it could not run at all, says so with the step that helps. The views tell the reward. */
export async function verifyAndTell(
  context: EditorContext,
  task: OpenTask,
): Promise<ShownVerdict | undefined> {
  const { runs, failures, explain } = context;
  const verdict = await runs.verify(task);
  if (verdict?.outcome === 'engine-error')
    failures.report(await explain(task, verdict, () => verifyAndTell(context, task)));
  return verdict;
}
