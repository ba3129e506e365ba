/** Quick looks for people: one test or one file alone. No verdict: nothing of it is kept, and no view of a run shows it. */
import type * as vscode from 'vscode';
import type { RunSinks } from '../runtime/runtime.ts';
import type { LookResult, LookTarget } from '../verifier/quickLook.ts';
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
    const { api, log, runtimes, snapshots } = this.#services;
    const [{ quickLook, planQuickLook }, { solutionHash }] = await Promise.all([
      import('../verifier/quickLook.ts'),
      import('../verifier/solution.ts'),
    ]);
    const solution = await snapshots.take(task);
    const settings = readSettings(api);
    const options = planOptionsFrom(settings);
    const seen = (result: LookResult): SeenLook => ({ result, solution: solutionHash(solution) });
    // What cannot be looked at needs no engine to say so.
    const planned = planQuickLook(task.workspace.task, solution, target, options);
    if (planned.kind === 'refused') return seen(planned);
    const chosen = await runtimes.choose(settings, signal);
    if (chosen.kind !== 'chosen') return seen(chosen);
    log.info(
      `Quick look at ${target.kind === 'case' ? target.name : target.gate.title} of ${task.state.taskId}`,
    );
    const sinks: RunSinks = {
      log: (line) => {
        log.info(line);
      },
    };
    const { runtime } = chosen;
    return seen(await quickLook(task.workspace.task, target, planned.plan, runtime, sinks, signal));
  }
}

/** A key of its own: a look neither replaces a run nor is replaced by one. */
function keyOf(task: OpenTask): string {
  return `${task.folder}\0look`;
}
