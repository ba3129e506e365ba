/** Runs verifiers for people: trust, save, snapshot, queue, run, record. Every surface that starts a run calls this. */
import type * as vscode from 'vscode';
import type { RunSinks, Runtime, RuntimeFailure } from '../runtime/runtime.ts';
import type { ParseBash } from '../verifier/bashGrammar.ts';
import type { SolutionState } from '../verifier/solution.ts';
import type { Verdict } from '../verifier/verdict.ts';
import { ChangeEvent } from './changeEvent.ts';
import { UserFacingError } from './failureMessage.ts';
import type { OpenTask } from './openTask.ts';
import { NOT_STARTED, RunQueue } from './runQueue.ts';
import type { Runtimes } from './runtimes.ts';
import { readSettings } from './settings.ts';
import { readSolutionNow } from './solutionNow.ts';

/** Two containers at once leave a laptop usable. */
const AT_ONCE = 2;

export interface RunServices {
  readonly api: typeof vscode;
  readonly log: vscode.LogOutputChannel;
  readonly runtimes: Runtimes;
  /** Loads the grammar that gates are found with. */
  readonly parseBash: () => Promise<ParseBash>;
}

export interface FinishedRun {
  readonly task: OpenTask;
  readonly verdict: Verdict;
}

export class RunService {
  readonly #services: RunServices;
  readonly #queue = new RunQueue(AT_ONCE);
  readonly #saving = new Set<OpenTask>();
  readonly #started = new ChangeEvent<OpenTask>();
  readonly #finished = new ChangeEvent<FinishedRun>();
  /** Fires before anything runs: what is shown of an earlier run goes. */
  readonly onDidStart = this.#started.on;
  readonly onDidFinish = this.#finished.on;

  constructor(services: RunServices) {
    this.#services = services;
  }

  isRunning(task: OpenTask): boolean {
    return this.#queue.isBusy(task.folder);
  }

  /** Whether it is a run that saves the solution just now, and not the person. */
  isSaving(task: OpenTask): boolean {
    return this.#saving.has(task);
  }

  /**
   * Verifies the task's solution; a run of the same task under way is cancelled and replaced.
   * Undefined: cancelled. @throws UserFacingError when it may not run; WorkspaceError when the workspace is damaged
   */
  async verify(task: OpenTask): Promise<Verdict | undefined> {
    this.#requireTrust();
    const { api } = this.#services;
    const run = this.#queue.run(task.folder, (signal) => this.#run(task, signal));
    if (task.state.activity.kind === 'idle' && this.#queue.isFull) task.setActivity({ kind: 'waiting' });
    // The spinner of the view turns as long as this promise lasts.
    void api.window.withProgress({ location: { viewId: 'repairBench.run' } }, () =>
      run.then(
        () => undefined,
        () => undefined,
      ),
    );
    try {
      const verdict = await run;
      return verdict === NOT_STARTED ? undefined : verdict;
    } finally {
      if (!this.#queue.isBusy(task.folder)) task.setActivity({ kind: 'idle' });
    }
  }

  /** Resolves when the container is gone. */
  async cancel(task: OpenTask): Promise<void> {
    if (!this.isRunning(task)) return;
    task.setActivity({ kind: 'cancelling' });
    await this.#queue.cancel(task.folder);
    if (!this.isRunning(task)) task.setActivity({ kind: 'idle' });
  }

  async dispose(): Promise<void> {
    await this.#queue.dispose();
    this.#started.dispose();
    this.#finished.dispose();
  }

  async #run(task: OpenTask, signal: AbortSignal): Promise<Verdict | undefined> {
    const { api, log } = this.#services;
    this.#saving.add(task);
    await saveSolution(api, task).finally(() => this.#saving.delete(task));
    const solution = await readSolutionNow(api, task.workspace);
    await task.refresh();
    this.#started.fire(task);
    task.setActivity({ kind: 'running', phase: undefined });
    log.info(`Verifying ${task.workspace.facts.task} in ${task.folder}`);
    const settings = readSettings(api);
    const chosen = await this.#services.runtimes.choose(settings, signal);
    if (chosen.kind === 'cancelled' || signal.aborted) return undefined;
    if (chosen.kind === 'failed') {
      const verdict = await engineFailure(task, solution, chosen.failure);
      return this.#finish(task, verdict, solution, undefined);
    }
    const { passedOver } = chosen;
    if (passedOver) log.warn(`Docker was passed over for ${chosen.name}: ${passedOver.message}`);
    const verdict = await this.#verifyIn(chosen.runtime, task, solution, signal);
    return this.#finish(task, verdict, solution, { kind: chosen.runtime.kind, name: chosen.name });
  }

  async #verifyIn(
    runtime: Runtime,
    task: OpenTask,
    solution: SolutionState,
    signal: AbortSignal,
  ): Promise<Verdict> {
    const { log, parseBash, api } = this.#services;
    const settings = readSettings(api);
    const sinks: RunSinks = {
      phase: (phase) => {
        if (!signal.aborted) task.setPhase(phase);
        log.debug(`${task.workspace.facts.task}: ${phase}`);
      },
      log: (line) => {
        log.info(line);
      },
    };
    const [{ verify }, grammar] = await Promise.all([import('../verifier/verify.ts'), parseBash()]);
    const options = {
      parseBash: grammar,
      trace: true,
      allowNetwork: settings.allowNetwork,
      allowedHostNames: new Set(settings.hostVariables),
      hostEnv: process.env,
      ...(settings.timeoutMs === undefined ? {} : { timeoutMs: settings.timeoutMs }),
    };
    return verify(task.workspace.task, { kind: 'solution', solution }, runtime, options, sinks, signal);
  }

  async #finish(
    task: OpenTask,
    verdict: Verdict,
    solution: SolutionState,
    runtime: { readonly kind: Runtime['kind']; readonly name: string } | undefined,
  ): Promise<Verdict | undefined> {
    if (verdict.outcome === 'cancelled') {
      this.#services.log.info(`Cancelled: ${task.workspace.facts.task}`);
      return undefined;
    }
    const now = new Date();
    await task.setRun(verdict, now.toISOString(), solution);
    logVerdict(this.#services.log, task, verdict);
    this.#finished.fire({ task, verdict });
    // What could not run at all says nothing about the solution and is no history.
    if (runtime && verdict.outcome !== 'engine-error') {
      const { saveRun } = await import('../workspace/runs.ts');
      const run = { startedBy: 'person', subject: 'solution', runtime, verdict } as const;
      await saveRun(task.workspace, run, solution, now);
    }
    return verdict;
  }

  #requireTrust(): void {
    const { api } = this.#services;
    if (api.workspace.isTrusted) return;
    throw new UserFacingError(
      api.l10n.t(
        "This workspace is not trusted. Verifying runs the task's own scripts, so trust the workspace first.",
      ),
      {
        label: api.l10n.t('Manage Workspace Trust'),
        run: () => api.commands.executeCommand('workbench.trust.manage'),
      },
    );
  }
}

/** Saves every unsaved editor of the solution. @throws UserFacingError when one cannot be saved */
async function saveSolution(api: typeof vscode, task: OpenTask): Promise<void> {
  const { containerPathOf } = await import('../workspace/workPaths.ts');
  for (const document of api.workspace.textDocuments) {
    if (!document.isDirty || document.uri.scheme !== 'file') continue;
    if (containerPathOf(task.workspace, document.uri.fsPath) === undefined) continue;
    // Auto save may have been faster; then there is nothing left to save, and that is fine.
    if (!(await document.save()) && document.isDirty)
      throw new UserFacingError(
        api.l10n.t('{0} could not be saved, so it was not verified.', document.uri.fsPath),
        {
          label: api.l10n.t('Open Solution'),
          run: () => api.window.showTextDocument(document),
        },
      );
  }
}

async function engineFailure(
  task: OpenTask,
  solution: SolutionState,
  failure: RuntimeFailure,
): Promise<Verdict> {
  const [{ solutionHash }, { VERDICT_VERSION }] = await Promise.all([
    import('../verifier/solution.ts'),
    import('../verifier/verdict.ts'),
  ]);
  return {
    outcome: 'engine-error',
    version: VERDICT_VERSION,
    ...failure,
    holdsFor: { task: task.workspace.task.hash, solution: solutionHash(solution) },
  };
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
    case 'engine-error':
      log.error(
        `${id}: could not run (${verdict.reason}): ${verdict.message}\n${verdict.detail ?? ''}`.trim(),
      );
      return;
    case 'cancelled':
      return;
  }
}
