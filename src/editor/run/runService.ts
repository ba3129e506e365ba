/** Runs verifiers for people: trust, save, snapshot, queue, run, record. Every surface that starts a run calls this. */
import type * as vscode from 'vscode';
import type { RunSinks, Runtime } from '../../runtime/runtime.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { Verdict } from '../../verifier/verdict/verdict.ts';
import { didRun } from '../../verifier/verdict/verdictFacts.ts';
import type { RunStarter } from '../../workspace/runs/runs.ts';
import { ChangeEvent } from '../platform/changeEvent.ts';
import { messageOf, UserFacingError } from '../platform/failureMessage.ts';
import { planOptionsFrom, type Settings } from '../platform/settings.ts';
import { requireTrust } from '../platform/trust.ts';
import { logDecision } from '../task/logDecision.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { ShownVerdict } from '../task/taskState.ts';
import type { RunContext } from './runContext.ts';
import { runKey } from './runKeys.ts';

export interface RunOptions {
  readonly startedBy: RunStarter;
  /** Cancels this run, and not one that has replaced it. */
  readonly signal?: AbortSignal;
}

/** A run of this window, from the moment it was asked for. */
export interface AskedRun {
  /** Unique in this window; the id of the `ShownRun` that it ends in. */
  readonly id: string;
  readonly task: OpenTask;
  readonly startedBy: RunStarter;
}

export type RunProgress =
  | { readonly kind: 'asked'; readonly run: AskedRun }
  /** Its solution is saved and read; views now drop what they show of an earlier run. */
  | { readonly kind: 'started'; readonly run: AskedRun }
  /** A line that a build or the engine printed. */
  | { readonly kind: 'printed'; readonly run: AskedRun; readonly line: string };

/** How a run ended. `stopped`: it was cancelled, or a newer run of its task replaced it. */
export type RunEnding = { readonly run: AskedRun } & (
  | { readonly kind: 'judged'; readonly verdict: ShownVerdict }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown }
);

export class RunService {
  readonly #context: RunContext;
  readonly #progress = new ChangeEvent<RunProgress>();
  readonly #ended = new ChangeEvent<RunEnding>();
  #count = 0;
  /** What happens to each run until it ends, in order. */
  readonly onRunProgress = this.#progress.on;
  /** Fires once for each run: when its verdict is shown and saved, or when there will be none. */
  readonly onDidEndRun = this.#ended.on;

  constructor(context: RunContext) {
    this.#context = context;
  }

  isRunning(task: OpenTask): boolean {
    return this.#context.queue.isBusy(runKey(task, 'verify'));
  }

  /**
   * Verifies the task's solution; a run of the same task under way is cancelled and replaced.
   * Undefined: cancelled. @throws UserFacingError when it may not run; WorkspaceError when the workspace is damaged
   */
  async verify(
    task: OpenTask,
    { startedBy, signal }: RunOptions = { startedBy: 'person' },
  ): Promise<ShownVerdict | undefined> {
    const { api, queue } = this.#context;
    requireTrust(api);
    const run: AskedRun = { id: `run ${++this.#count}`, task, startedBy };
    this.#logAsked(run);
    this.#progress.fire({ kind: 'asked', run });
    const key = runKey(task, 'verify');
    const result = queue.run(key, (stopped) => this.#run(run, stopped), signal);
    if (task.state.activity.kind === 'idle' && queue.isFull) task.setActivity({ kind: 'waiting' });
    this.#showProgress(result);
    try {
      const left = await result;
      const verdict = left.kind === 'ran' ? left.value : undefined;
      this.#end(verdict ? { kind: 'judged', run, verdict } : { kind: 'stopped', run });
      return verdict;
    } catch (error) {
      this.#end({ kind: 'failed', run, error });
      throw error;
    } finally {
      if (!queue.isBusy(key)) {
        task.setActivity({ kind: 'idle' });
        // The history on disk holds this run now, and any that other windows saved meanwhile.
        task.noteRuns();
      }
    }
  }

  /** Resolves when the container is gone. */
  async cancel(task: OpenTask): Promise<void> {
    if (!this.isRunning(task)) return;
    logDecision(this.#context.log, task, 'cancelling the run');
    task.setActivity({ kind: 'cancelling' });
    await this.#context.queue.cancel(runKey(task, 'verify'));
    if (!this.isRunning(task)) task.setActivity({ kind: 'idle' });
  }

  /** Cancels every run and resolves when their containers are gone. */
  async dispose(): Promise<void> {
    await this.#context.queue.dispose();
    this.#progress.dispose();
    this.#ended.dispose();
  }

  async #run(run: AskedRun, signal: AbortSignal): Promise<ShownVerdict | undefined> {
    const { task } = run;
    const { log, runtimes, settings, snapshots } = this.#context;
    const solution = await snapshots.take(task);
    this.#progress.fire({ kind: 'started', run });
    task.setActivity({ kind: 'running', phase: undefined });
    log.info(`Verifying ${task.workspace.facts.task} in ${task.folder}`);
    const now = settings.current;
    const chosen = await runtimes.choose(now, signal);
    if (chosen.kind === 'cancelled' || signal.aborted) return undefined;
    if (chosen.kind === 'failed') {
      const [{ verdictHashes }, { engineErrorVerdict }] = await Promise.all([
        import('../../verifier/plan/solution.ts'),
        import('../../verifier/verdict/unrun.ts'),
      ]);
      const verdict = engineErrorVerdict(chosen.failure, verdictHashes(task.workspace.task, solution));
      return this.#finish(run, verdict, solution, undefined);
    }
    const { passedOver, runtime, name } = chosen;
    if (passedOver) log.warn(`Docker was passed over for ${name}: ${passedOver.message}`);
    const verdict = await this.#verify(run, solution, { runtime, settings: now, signal });
    return this.#finish(run, verdict, solution, { kind: runtime.kind, name });
  }

  async #verify(
    run: AskedRun,
    solution: SolutionState,
    { runtime, settings, signal }: { runtime: Runtime; settings: Settings; signal: AbortSignal },
  ): Promise<Verdict> {
    const { task } = run;
    const { log, parseBash } = this.#context;
    const sinks: RunSinks = {
      phase: (phase) => {
        if (!signal.aborted) task.setPhase(phase);
        logDecision(this.#context.log, task, `${run.id} is at: ${phase}`);
      },
      log: (line) => {
        log.info(line);
        this.#progress.fire({ kind: 'printed', run, line });
      },
    };
    const [{ verify }, grammar] = await Promise.all([import('../../verifier/verify.ts'), parseBash()]);
    const options = { parseBash: grammar, trace: true, ...planOptionsFrom(settings) };
    const subject = { kind: 'solution', solution } as const;
    return verify({ task: task.workspace.task, subject, options }, { runtime, sinks, signal });
  }

  async #finish(
    { id, task, startedBy }: AskedRun,
    verdict: Verdict,
    solution: SolutionState,
    runtime: { readonly kind: Runtime['kind']; readonly name: string } | undefined,
  ): Promise<ShownVerdict | undefined> {
    if (verdict.outcome === 'cancelled') return undefined;
    const now = new Date();
    task.setRun({ id, verdict, at: now.toISOString() }, solution);
    logVerdict(this.#context.log, task, verdict);
    if (!runtime || !didRun(verdict)) {
      logDecision(
        this.#context.log,
        task,
        `${id} is not saved: nothing ran, so it says nothing about the solution`,
      );
      return verdict;
    }
    const { saveRun } = await import('../../workspace/runs/runs.ts');
    try {
      const record = { startedBy, subject: 'solution', runtime, verdict } as const;
      const { file } = await saveRun(task.workspace, record, solution, now);
      task.noteSaved(file);
      logDecision(this.#context.log, task, `${id} is saved as ${file}`);
    } catch (error) {
      this.#warnUnsaved(task, error);
    }
    return verdict;
  }

  /** The verdict is shown all the same; only the next window will not know it. */
  #warnUnsaved(task: OpenTask, error: unknown): void {
    const { api, failures } = this.#context;
    const { t } = api.l10n;
    const why = messageOf(error, t);
    const message = t('The run of {0} could not be kept in its history. {1}', task.state.taskId, why);
    failures.warn(new UserFacingError(message, undefined, { cause: error }));
  }

  #end(ending: RunEnding): void {
    const { id, task } = ending.run;
    if (ending.kind !== 'judged')
      logDecision(this.#context.log, task, `${id} ended without a verdict: ${ending.kind}`);
    this.#ended.fire(ending);
  }

  /** The spinner of the Run view turns as long as `work` lasts. */
  #showProgress(work: Promise<unknown>): void {
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    void this.#context.api.window.withProgress({ location: { viewId: 'repairBench.run' } }, () => ended);
  }

  #logAsked({ id, task, startedBy }: AskedRun): void {
    const by = startedBy === 'agent' ? 'an agent' : 'a person';
    const next = this.isRunning(task)
      ? ' and replaces the one under way'
      : this.#context.queue.isFull
        ? '; other runs go first'
        : '';
    logDecision(this.#context.log, task, `${id} was asked for by ${by}${next}`);
  }
}

function logVerdict(log: vscode.LogOutputChannel, task: OpenTask, verdict: ShownVerdict): void {
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
  }
}
