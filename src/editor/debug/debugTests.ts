/** "Debug Test": one test, or the tests of one gate, run in a container of the task under VS Code's debugger. */
import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { AttachedInput } from '../../runtime/runtime.ts';
import type { TrialPlan, TrialRequest, TrialResult, TrialTarget } from '../../verifier/trial/trial.ts';
import { RunQueue } from '../../runtime/runQueue.ts';
import { DebugAdapter } from './debugAdapter.ts';
import { DebugReader } from './debugReader.ts';
import { debugPaths } from './debugPaths.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import { plainNotification, plainOutput } from '../platform/text/plainText.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import { bundledDebugpy, PYTHON_DEBUGGER } from './pythonDebugger.ts';
import type { RunContext } from '../run/runContext.ts';
import { type FinishedTrial, prepareTrial, type ReadyTrial } from '../run/trials.ts';
import type { Reveal } from '../files/reveal.ts';
import { shortId } from '../task/taskName.ts';
import { requireTrust } from '../platform/trust.ts';
import { runCommand } from '../platform/commands/commandTable.ts';

const DEBUG_TYPE = 'repairBench';
/** One test at a time is debugged, of whatever task. */
const DEBUG_KEY = 'debug';

/** How the person sees it: in which test run, and as what. */
export interface DebugShown {
  readonly label: string;
  readonly run: vscode.TestRun;
}

export class DebugTests {
  readonly #context: RunContext;
  readonly #reveal: Reveal;
  readonly #store = new DisposableStore();
  /** One at a time, and the newest wins; a person thinks in it, so it takes no turn of a run. */
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
   * Saves the solution, opens a debug session and settles when it has ended. Undefined: cancelled, by whoever or by
   * `outer`.
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
    // Who steps through a test reads it.
    if (!(await this.#reveal.ask(task, 'tests'))) return undefined;
    try {
      const seen = await this.#queue.run(
        DEBUG_KEY,
        (signal) => this.#debug(task, target, shown, signal),
        outer,
      );
      return seen.kind === 'ran' ? seen.value : undefined;
    } catch (error) {
      // In the Testing view there is no room for the button of a next step.
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
    const { api } = this.#context;
    const { planDebugTrial } = await import('../../verifier/trial/debugTrial.ts');
    const debugpy = await bundledDebugpy(api);
    const mark = randomUUID();
    const plan = (request: TrialRequest): TrialPlan => planDebugTrial(request, { debugpy, mark });
    return prepareTrial(this.#context, { task, target, plan, signal }, (ready) =>
      this.#run(task, target, shown, ready, mark, signal),
    );
  }

  async #run(
    task: OpenTask,
    target: TrialTarget,
    shown: DebugShown,
    { plan, runtime, solution }: ReadyTrial,
    mark: string,
    outer: AbortSignal,
  ): Promise<TrialResult> {
    const { api, log } = this.#context;
    if (!runtime.runAttached) throw noDebugger(api);
    const { trialResult } = await import('../../verifier/trial/trial.ts');
    const paths = await debugPaths(api, task, solution);
    const stopping = new AbortController();
    const signal = AbortSignal.any([outer, stopping.signal]);
    let input: AttachedInput | undefined;
    let failure: unknown;
    let heard = false;
    let leaving: NodeJS.Timeout | undefined;
    const fail = (error: unknown): void => {
      failure ??= error;
      stopping.abort();
    };
    const adapter = new DebugAdapter(api, paths, {
      write: (bytes) => input?.write(bytes),
      left: (afterMs) => {
        clearTimeout(leaving);
        leaving = setTimeout(() => stopping.abort(), afterMs);
      },
    });
    const reader = new DebugReader(mark, {
      ready: () => {
        heard = true;
        void this.#open(task, shown, adapter).catch(fail);
      },
      failed: (why) => {
        heard = true;
        fail(noDebugpy(api, shortId(task.state.taskId), why));
      },
      message: (value) => adapter.take(value),
      broken: (what) =>
        fail(
          new UserFacingError(
            api.l10n.t(
              'The debugger in the container of {0} sent {1}, so the session was ended. Does a test or the solution write to the standard output of another process?',
              shortId(task.state.taskId),
              what,
            ),
          ),
        ),
    });
    const result = await runtime.runAttached(
      plan,
      {
        ready: (given) => {
          input = given;
        },
        output: (bytes) => reader.push(bytes),
        errors: (bytes) => adapter.print(bytes),
        log: (line) => log.info(line),
      },
      signal,
    );
    clearTimeout(leaving);
    adapter.end();
    if (failure !== undefined) throw failure;
    if (result.kind === 'ended' && !heard) throw neverListened(api, result.evidence.verifier.output);
    return trialResult(task.workspace.task, target, result);
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

/** Such as by `python -I`, `sudo` or a wrapper that sets PYTHONPATH anew. */
function neverListened(api: typeof vscode, output: string): UserFacingError {
  return new UserFacingError(
    api.l10n.t(
      'The tests ended before a debugger could listen. The way in which test.sh starts them may keep PYTHONPATH away from Python. They printed: {0}',
      plainOutput(output).trim(),
    ),
  );
}

function noDebugger(api: typeof vscode): UserFacingError {
  const { t } = api.l10n;
  return new UserFacingError(
    t(
      'The sandbox lets no debugger in. Start Docker or Podman, choose Docker as the runtime, and debug the test again.',
    ),
    { label: t('Select Runtime…'), run: () => runCommand(api, 'repairBench.selectRuntime') },
  );
}

/** @param why what Python said, such as `ModuleNotFoundError: No module named 'debugpy'` */
function noDebugpy(api: typeof vscode, task: string, why: string): UserFacingError {
  const { t } = api.l10n;
  const said = plainNotification(why);
  if (api.extensions.getExtension(PYTHON_DEBUGGER))
    return new UserFacingError(
      t(
        'debugpy does not run in the image of {0}: {1}. Install a debugpy that fits its Python in environment/Dockerfile, such as `RUN pip install debugpy`.',
        task,
        said,
      ),
    );
  return new UserFacingError(
    t(
      'The image of {0} has no debugpy that runs: {1}. Install the extension Python Debugger, which brings one, or add `RUN pip install debugpy` to environment/Dockerfile.',
      task,
      said,
    ),
    {
      label: t('Show Extension'),
      run: () => api.commands.executeCommand('extension.open', PYTHON_DEBUGGER),
    },
  );
}
