/**
 * Has the next container of the current task started ahead: when its run has ended, and when it becomes the current one;
 * and has it thrown away when the setting is switched off.
 * Nothing of it shows, and nothing that goes wrong in it matters: the next run then starts as ever.
 */
import { didRun } from '../../verifier/verdict/verdictFacts.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import { messageOf } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { EditorContext } from './editorContext.ts';
import { planOptionsFrom } from '../platform/settings.ts';

export class KeepWarm {
  readonly #context: EditorContext;
  readonly #store = new DisposableStore();
  #task: OpenTask | undefined;
  #latest: AbortController | undefined;

  constructor(context: EditorContext) {
    const { current, runs, settings } = context;
    this.#context = context;
    this.#store.add(
      current.onDidChange((task) => {
        if (task === this.#task) return;
        this.#task = task;
        if (task) void this.#warmUp(task);
      }),
    );
    this.#store.add(
      runs.onDidEndRun((ending) => {
        const { task } = ending.run;
        // A run that the engine refused would be refused ahead as well.
        if (task === current.task && ending.kind === 'judged' && didRun(ending.verdict))
          void this.#warmUp(task);
      }),
    );
    this.#store.add(
      settings.onDidChange('keepWarm', () => {
        if (!settings.current.keepWarm) void this.#coolDown();
      }),
    );
  }

  /** Nothing is started ahead from now on; what waits already ends with its runtime. */
  dispose(): void {
    this.#latest?.abort();
    this.#store.dispose();
  }

  async #coolDown(): Promise<void> {
    const { api, log, runtimes } = this.#context;
    this.#latest?.abort();
    try {
      await runtimes.coolDown();
    } catch (error) {
      log.debug(`What was started ahead could not be thrown away: ${messageOf(error, api.l10n.t)}`);
    }
  }

  async #warmUp(task: OpenTask): Promise<void> {
    const { api, log, runtimes, runs, settings: watched } = this.#context;
    this.#latest?.abort();
    const giveUp = new AbortController();
    this.#latest = giveUp;
    const settings = watched.current;
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
