/** Runs verifiers for people: trust, save, snapshot, queue, run, record. Every surface that starts a run calls this. */
import type * as vscode from 'vscode';
import type { RunQueue } from '../../runtime/runQueue.ts';
import type { RunSinks, Runtime } from '../../runtime/runtime.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { Verdict } from '../../verifier/verdict/verdict.ts';
import { didRun } from '../../verifier/verdict/verdictFacts.ts';
import type { RunStarter } from '../../workspace/runs/runs.ts';
import { ChangeEvent } from '../platform/changeEvent.ts';
import { messageOf, UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import { runKey } from './runKeys.ts';
import type { AskedRun, RunEvent } from './runEvents.ts';
import type { RunServices } from './runServices.ts';
import { planOptionsFrom, readSettings, type Settings } from '../platform/settings.ts';
import type { ShownVerdict } from '../task/taskState.ts';
import { requireTrust } from '../platform/trust.ts';

export interface StartedBy {
  readonly startedBy: RunStarter;
  /** Cancels this run, and not one that has replaced it. */
  readonly signal?: AbortSignal;
}

export class RunService {
  readonly #services: RunServices;
  readonly #queue: RunQueue;
  readonly #events = new ChangeEvent<RunEvent>();
  /** All that happens to every run. */
  readonly onRunEvent = this.#events.on;

  constructor(services: RunServices) {
    this.#services = services;
    this.#queue = services.queue;
  }

  isRunning(task: OpenTask): boolean {
    return this.#queue.isBusy(runKey(task, 'verify'));
  }

  /**
   * Verifies the task's solution; a run of the same task under way is cancelled and replaced.
   * Undefined: cancelled. @throws UserFacingError when it may not run; WorkspaceError when the workspace is damaged
   */
  async verify(task: OpenTask, by: StartedBy = { startedBy: 'person' }): Promise<ShownVerdict | undefined> {
    const { api } = this.#services;
    requireTrust(api);
    const asked: AskedRun = { task, startedBy: by.startedBy };
    this.#events.fire({ kind: 'asked', run: asked });
    const run = this.#queue.run(runKey(task, 'verify'), (signal) => this.#run(asked, signal), by.signal);
    if (task.state.activity.kind === 'idle' && this.#queue.isFull) task.setActivity({ kind: 'waiting' });
    // The spinner of the view turns as long as this promise lasts.
    void api.window.withProgress({ location: { viewId: 'repairBench.run' } }, () =>
      run.then(
        () => undefined,
        () => undefined,
      ),
    );
    try {
      const ended = await run;
      const verdict = ended.kind === 'ran' ? ended.value : undefined;
      this.#events.fire({ kind: 'ended', run: asked, verdict });
      return verdict;
    } catch (error) {
      this.#events.fire({ kind: 'ended', run: asked, verdict: undefined, error });
      throw error;
    } finally {
      if (!this.#queue.isBusy(runKey(task, 'verify'))) {
        task.setActivity({ kind: 'idle' });
        // Whoever reads them now finds its own run, and what was saved elsewhere meanwhile.
        task.noteRuns();
      }
    }
  }

  /** Resolves when the container is gone. */
  async cancel(task: OpenTask): Promise<void> {
    if (!this.isRunning(task)) return;
    task.setActivity({ kind: 'cancelling' });
    await this.#queue.cancel(runKey(task, 'verify'));
    if (!this.isRunning(task)) task.setActivity({ kind: 'idle' });
  }

  async dispose(): Promise<void> {
    await this.#queue.dispose();
    this.#events.dispose();
  }

  async #run(asked: AskedRun, signal: AbortSignal): Promise<ShownVerdict | undefined> {
    const { task } = asked;
    const { api, log, snapshots } = this.#services;
    const solution = await snapshots.take(task);
    this.#events.fire({ kind: 'started', run: asked });
    task.setActivity({ kind: 'running', phase: undefined });
    log.info(`Verifying ${task.workspace.facts.task} in ${task.folder}`);
    const settings = readSettings(api);
    const chosen = await this.#services.runtimes.choose(settings, signal);
    if (chosen.kind === 'cancelled' || signal.aborted) return undefined;
    if (chosen.kind === 'failed') {
      const [{ heldFor }, { engineErrorVerdict }] = await Promise.all([
        import('../../verifier/plan/solution.ts'),
        import('../../verifier/verdict/unrun.ts'),
      ]);
      const verdict = engineErrorVerdict(chosen.failure, heldFor(task.workspace.task, solution));
      return this.#finish(asked, verdict, solution, undefined);
    }
    const { passedOver } = chosen;
    if (passedOver) log.warn(`Docker was passed over for ${chosen.name}: ${passedOver.message}`);
    const verdict = await this.#verifyIn(chosen.runtime, settings, asked, solution, signal);
    return this.#finish(asked, verdict, solution, { kind: chosen.runtime.kind, name: chosen.name });
  }

  async #verifyIn(
    runtime: Runtime,
    settings: Settings,
    asked: AskedRun,
    solution: SolutionState,
    signal: AbortSignal,
  ): Promise<Verdict> {
    const { task } = asked;
    const { log, parseBash } = this.#services;
    const sinks: RunSinks = {
      phase: (phase) => {
        if (!signal.aborted) task.setPhase(phase);
        log.debug(`${task.workspace.facts.task}: ${phase}`);
      },
      log: (line) => {
        log.info(line);
        this.#events.fire({ kind: 'said', run: asked, line });
      },
    };
    const [{ verify }, grammar] = await Promise.all([import('../../verifier/verify.ts'), parseBash()]);
    const options = { parseBash: grammar, trace: true, ...planOptionsFrom(settings) };
    const subject = { kind: 'solution', solution } as const;
    return verify({ task: task.workspace.task, subject, options }, { runtime, sinks, signal });
  }

  async #finish(
    { task, startedBy }: AskedRun,
    verdict: Verdict,
    solution: SolutionState,
    runtime: { readonly kind: Runtime['kind']; readonly name: string } | undefined,
  ): Promise<ShownVerdict | undefined> {
    if (verdict.outcome === 'cancelled') {
      this.#services.log.info(`Cancelled: ${task.workspace.facts.task}`);
      return undefined;
    }
    const now = new Date();
    task.setRun(verdict, now.toISOString(), solution);
    logVerdict(this.#services.log, task, verdict);
    // What could not run at all says nothing about the solution and is no history.
    if (runtime && didRun(verdict)) {
      const { saveRun } = await import('../../workspace/runs/runs.ts');
      const run = { startedBy, subject: 'solution', runtime, verdict } as const;
      await saveRun(task.workspace, run, solution, now).catch((error: unknown) => this.#warn(task, error));
    }
    return verdict;
  }

  /** The verdict is there and is shown; only the next window will not know of it. */
  #warn(task: OpenTask, error: unknown): void {
    const { api, warn } = this.#services;
    const { t } = api.l10n;
    const said = t(
      'The run of {0} could not be kept in its history. {1}',
      task.state.taskId,
      messageOf(error, t),
    );
    warn(new UserFacingError(said, undefined, { cause: error }));
  }
}

function logVerdict(log: vscode.LogOutputChannel, task: OpenTask, verdict: Verdict): void {
  const id = task.workspace.facts.task;
  switch (verdict.outcome) {
    case 'scored':
      log.info(`${id}: reward ${verdict.reward}`);
      return;
    case 'unscored':
      log.warn(`${id}: no reward (${verdict.reason}): ${verdict.message}`);
      return;
    case 'no-verifier':
      log.warn(`${id}: no reward (${verdict.outcome}): ${verdict.message}`);
      return;
    case 'engine-error':
      log.error(
        `${id}: could not run (${verdict.reason}): ${verdict.message}\n${verdict.detail ?? ''}`.trim(),
      );
      return;
    case 'cancelled':
      return;
  }
}
