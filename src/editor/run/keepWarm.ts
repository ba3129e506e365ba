/**
 * Starts the next container of the current task ahead, when its run has ended and when it becomes the current task, and
 * throws the container away when the setting is switched off. A person sees nothing of this: when it fails, the next run
 * starts its own container.
 */
import { didRun } from '../../verifier/verdict/verdictFacts.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import { messageOf } from '../platform/failureMessage.ts';
import { logDecision } from '../task/logDecision.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { EditorContext } from './editorContext.ts';
import { planOptionsFrom, type Settings } from '../platform/settings.ts';

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
      log.debug(
        `The container that was started ahead could not be thrown away: ${messageOf(error, api.l10n.t)}`,
      );
    }
  }

  async #warmUp(task: OpenTask): Promise<void> {
    const { api, log, runtimes, settings } = this.#context;
    this.#latest?.abort();
    const giveUp = new AbortController();
    this.#latest = giveUp;
    const now = settings.current;
    const because = this.#whyNot(task, now);
    if (because !== undefined) return logDecision(log, task, `no container is started ahead: ${because}`);
    try {
      if (!task.solution) await task.refresh();
      const { solution } = task;
      const runtime = solution && (await runtimes.spare(now));
      if (!runtime || giveUp.signal.aborted) return;
      const { warmUp } = await import('../../verifier/warmUp.ts');
      const options = { trace: true, ...planOptionsFrom(now) };
      const request = { task: task.workspace.task, solution, options };
      const waits = await warmUp(request, { runtime, signal: giveUp.signal });
      if (waits) logDecision(log, task, 'a container waits for the next run');
    } catch (error) {
      logDecision(log, task, `no container was started ahead: ${messageOf(error, api.l10n.t)}`);
    }
  }

  #whyNot(task: OpenTask, { keepWarm, runtime }: Settings): string | undefined {
    const { api, runs } = this.#context;
    if (!keepWarm) return 'the setting is off';
    if (runtime === 'sandbox') return 'the sandbox has nothing that could wait';
    if (!api.workspace.isTrusted) return 'the workspace is not trusted';
    return runs.isRunning(task) ? 'a run is under way' : undefined;
  }
}
