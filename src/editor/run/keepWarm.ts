/**
 * Has the next container of the current task started ahead: when its run has ended, and when it becomes the current one;
 * and has it thrown away when the setting is switched off.
 * Nothing of it shows, and nothing that goes wrong in it matters: the next run then starts as ever.
 */
import type * as vscode from 'vscode';
import { didRun } from '../../verifier/verdict/verdictFacts.ts';
import type { CurrentTask } from '../task/currentTask.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import { messageOf } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { RunService } from './runService.ts';
import type { Runtimes } from './runtimes.ts';
import { planOptionsFrom, readSettings } from '../platform/settings.ts';

export interface KeepWarmServices {
  readonly api: typeof vscode;
  readonly log: vscode.LogOutputChannel;
  readonly runtimes: Runtimes;
  readonly current: CurrentTask;
  readonly runs: RunService;
}

export class KeepWarm {
  readonly #services: KeepWarmServices;
  readonly #store = new DisposableStore();
  #task: OpenTask | undefined;
  #latest: AbortController | undefined;

  constructor(services: KeepWarmServices) {
    const { current, runs } = services;
    this.#services = services;
    this.#store.add(
      current.onDidChange((task) => {
        if (task === this.#task) return;
        this.#task = task;
        if (task) void this.#warmUp(task);
      }),
    );
    this.#store.add(
      runs.onRunEvent((event) => {
        if (event.kind !== 'ended' || event.run.task !== current.task) return;
        // What could not run would fail ahead as well.
        if (event.verdict && didRun(event.verdict)) void this.#warmUp(event.run.task);
      }),
    );
    this.#store.add(
      services.api.workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration('repairBench.keepWarm')) return;
        if (!readSettings(services.api).keepWarm) void this.#coolDown();
      }),
    );
  }

  /** Nothing is started ahead from now on; what waits already ends with its runtime. */
  dispose(): void {
    this.#latest?.abort();
    this.#store.dispose();
  }

  async #coolDown(): Promise<void> {
    const { api, log, runtimes } = this.#services;
    this.#latest?.abort();
    try {
      await runtimes.coolDown();
    } catch (error) {
      log.debug(`What was started ahead could not be thrown away: ${messageOf(error, api.l10n.t)}`);
    }
  }

  async #warmUp(task: OpenTask): Promise<void> {
    const { api, log, runtimes, runs } = this.#services;
    this.#latest?.abort();
    const giveUp = new AbortController();
    this.#latest = giveUp;
    const settings = readSettings(api);
    // The sandbox has nothing that could wait.
    if (!settings.keepWarm || settings.runtime === 'sandbox') return;
    if (!api.workspace.isTrusted || runs.isRunning(task)) return;
    try {
      if (!task.solution) await task.refresh();
      const { solution } = task;
      const runtime = solution && (await runtimes.spare(settings));
      if (!runtime || giveUp.signal.aborted) return;
      const { warmUp } = await import('../../verifier/warmUp.ts');
      const options = { trace: true, ...planOptionsFrom(settings) };
      const request = { task: task.workspace.task, solution, options };
      const waits = await warmUp(request, { runtime, signal: giveUp.signal });
      if (waits) log.debug(`A container waits for ${task.workspace.facts.task}`);
    } catch (error) {
      log.debug(
        `No container was started ahead for ${task.workspace.facts.task}: ${messageOf(error, api.l10n.t)}`,
      );
    }
  }
}
