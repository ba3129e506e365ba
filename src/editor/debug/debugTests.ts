/** "Debug Test": one test, or the tests of one gate, run in a container of the task under VS Code's debugger. */
import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { TrialPlan, TrialRequest, TrialTarget } from '../../verifier/trial/trial.ts';
import { RunQueue } from '../../runtime/runQueue.ts';
import type { DebugAdapter } from './debugAdapter.ts';
import { DebugSession } from './debugSession.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import { bundledDebugpy } from './pythonDebugger.ts';
import type { RunContext } from '../run/runContext.ts';
import { type FinishedTrial, prepareTrial } from '../run/trials.ts';
import type { Reveal } from '../files/reveal.ts';
import { shortId } from '../task/taskName.ts';
import { requireTrust } from '../platform/trust.ts';

const DEBUG_TYPE = 'repairBench';
/** One test at a time is debugged, whatever its task. */
const DEBUG_KEY = 'debug';

/** Where the person sees the session: its test run, and its label. */
export interface DebugShown {
  readonly label: string;
  readonly run: vscode.TestRun;
}

export class DebugTests {
  readonly #context: RunContext;
  readonly #reveal: Reveal;
  readonly #store = new DisposableStore();
  /** One session at a time, the newest wins. A session lasts as long as a person thinks, so it does not hold up runs. */
  readonly #queue = new RunQueue(1);
  /** Sessions that VS Code is about to open, by the token in their configuration. */
  readonly #adapters = new Map<string, DebugAdapter>();

  constructor(context: RunContext, reveal: Reveal) {
    const { api } = context;
    this.#context = context;
    this.#reveal = reveal;
    this.#store.add(
      api.debug.registerDebugAdapterDescriptorFactory(DEBUG_TYPE, {
        createDebugAdapterDescriptor: (session) => {
          const adapter = this.#adapters.get(String(session.configuration['token']));
          if (adapter) return new api.DebugAdapterInlineImplementation(adapter);
          throw new Error(
            api.l10n.t('Repair Bench debugs tests only: choose Debug Test at a test in the Testing view.'),
          );
        },
      }),
    );
  }

  /**
   * Saves the solution, opens a debug session and settles when it has ended. Undefined: cancelled.
   * @throws UserFacingError when it may not or cannot run; WorkspaceError when the workspace is damaged
   */
  async debug(
    task: OpenTask,
    target: TrialTarget,
    shown: DebugShown,
    outer: AbortSignal,
  ): Promise<FinishedTrial | undefined> {
    const { api, failures } = this.#context;
    requireTrust(api);
    // A person who steps through a test reads it.
    if (!(await this.#reveal.ask(task, 'tests'))) return undefined;
    try {
      const ending = await this.#queue.run(
        DEBUG_KEY,
        (signal) => this.#debug(task, target, shown, signal),
        outer,
      );
      return ending.kind === 'ran' ? ending.value : undefined;
    } catch (error) {
      // The Testing view cannot show the button of a next step.
      if (error instanceof UserFacingError && error.button) failures.report(error);
      throw error;
    }
  }

  async dispose(): Promise<void> {
    await this.#queue.dispose();
    this.#store.dispose();
  }

  async #debug(
    task: OpenTask,
    target: TrialTarget,
    shown: DebugShown,
    signal: AbortSignal,
  ): Promise<FinishedTrial | undefined> {
    const { planDebugTrial } = await import('../../verifier/trial/debugTrial.ts');
    const debugpy = await bundledDebugpy(this.#context.api);
    const mark = randomUUID();
    const plan = (request: TrialRequest): TrialPlan => planDebugTrial(request, { debugpy, mark });
    const session = new DebugSession(this.#context, task, (adapter) => this.#open(task, shown, adapter));
    return prepareTrial(this.#context, { task, target, plan, signal }, (ready) =>
      session.run(ready, target, mark, signal),
    );
  }

  async #open(task: OpenTask, { label, run }: DebugShown, adapter: DebugAdapter): Promise<void> {
    const { api } = this.#context;
    const token = randomUUID();
    this.#adapters.set(token, adapter);
    try {
      const name = `${label} (${shortId(task.state.taskId)})`;
      const configuration = { type: DEBUG_TYPE, request: 'attach', name, token };
      if (await api.debug.startDebugging(undefined, configuration, { testRun: run })) return;
      throw new UserFacingError(api.l10n.t('VS Code did not start a debug session.'));
    } finally {
      this.#adapters.delete(token);
    }
  }
}
