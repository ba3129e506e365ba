/** One debug session: the tests in their container, VS Code's debugger, and what passes between the two. */
import type { AttachedInput } from '../../runtime/runtime.ts';
import type { TrialResult, TrialTarget } from '../../verifier/trial/trial.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ReadyTrial } from '../run/trials.ts';
import type { OpenTask } from '../task/openTask.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import { shortId } from '../task/taskName.ts';
import { DebugAdapter } from './debugAdapter.ts';
import { neverListened, noDebugger, noDebugpy } from './debugFailures.ts';
import { debugPaths } from './debugPaths.ts';
import { DebugReader } from './debugReader.ts';

/** Opens a debug session in VS Code that talks to `adapter`. @throws UserFacingError when VS Code refuses */
export type OpenSession = (adapter: DebugAdapter) => Promise<void>;

export class DebugSession {
  readonly #context: RunContext;
  readonly #task: OpenTask;
  readonly #openSession: OpenSession;
  readonly #stopping = new AbortController();
  /** The standard input of the tests, once they run. */
  #input: AttachedInput | undefined;
  #failure: unknown;
  /** Whether the debugger in the container listened, or said why it cannot. */
  #answered = false;
  #leaving: NodeJS.Timeout | undefined;

  constructor(context: RunContext, task: OpenTask, openSession: OpenSession) {
    this.#context = context;
    this.#task = task;
    this.#openSession = openSession;
  }

  /**
   * Runs the planned tests until they end or `outer` aborts. `mark` begins the line in which the debugger says that it
   * listens. @throws UserFacingError when no debugger can be attached
   */
  async run(
    { plan, runtime, solution }: ReadyTrial,
    target: TrialTarget,
    mark: string,
    outer: AbortSignal,
  ): Promise<TrialResult> {
    const { api, log } = this.#context;
    if (!runtime.runAttached) throw noDebugger(api);
    const { trialResult } = await import('../../verifier/trial/trial.ts');
    const adapter = new DebugAdapter(api, await debugPaths(api, this.#task, solution), {
      write: (bytes) => this.#input?.write(bytes),
      left: (afterMs) => {
        clearTimeout(this.#leaving);
        this.#leaving = setTimeout(() => this.#stopping.abort(), afterMs);
      },
    });
    const reader = this.#reader(mark, adapter);
    const result = await runtime.runAttached(
      plan,
      {
        ready: (input) => {
          this.#input = input;
        },
        output: (bytes) => reader.push(bytes),
        errors: (bytes) => adapter.print(bytes),
        log: (line) => log.info(line),
      },
      AbortSignal.any([outer, this.#stopping.signal]),
    );
    clearTimeout(this.#leaving);
    adapter.end();
    if (this.#failure !== undefined) throw this.#failure;
    if (result.kind === 'ended' && !this.#answered) throw neverListened(api, result.evidence.verifier.output);
    return trialResult(this.#task.workspace.task, target, result);
  }

  #reader(mark: string, adapter: DebugAdapter): DebugReader {
    const { api } = this.#context;
    const id = shortId(this.#task.state.taskId);
    return new DebugReader(mark, {
      ready: () => {
        this.#answered = true;
        void this.#openSession(adapter).catch((error: unknown) => this.#fail(error));
      },
      failed: (why) => {
        this.#answered = true;
        this.#fail(noDebugpy(api, id, why));
      },
      message: (value) => adapter.receive(value),
      broken: (what) =>
        this.#fail(
          new UserFacingError(
            api.l10n.t(
              'The debugger in the container of {0} sent {1}, so the session was ended. Does a test or the solution write to the standard output of another process?',
              id,
              what,
            ),
          ),
        ),
    });
  }

  /** The first failure is the one to tell; the run ends. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#stopping.abort();
  }
}
