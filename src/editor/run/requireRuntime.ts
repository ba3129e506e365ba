/** The runtime that the settings ask for, for what cannot do without one. */
import type { OpenTask } from '../task/openTask.ts';
import type { RuntimeFor } from './runtimes.ts';
import type { RunServices } from './runServices.ts';
import type { Settings } from '../platform/settings.ts';

/**
 * Undefined: cancelled. `again` is what was tried, for the button of the failure.
 * @throws UserFacingError when there is none, with the step that helps
 */
export async function requireRuntime(
  { runtimes, explain }: RunServices,
  task: OpenTask,
  settings: Settings,
  signal: AbortSignal,
  again: () => Promise<unknown>,
): Promise<Extract<RuntimeFor, { kind: 'chosen' }> | undefined> {
  const chosen = await runtimes.choose(settings, signal);
  if (chosen.kind === 'failed') throw await explain(task, chosen.failure, again);
  return chosen.kind === 'chosen' ? chosen : undefined;
}
