/** "Open Shell in Task Container": a terminal in a fresh container of the task, gone when the terminal closes. */
import type * as vscode from 'vscode';
import type { Fault } from '../../fault/remedy.ts';
import type { RunPlan } from '../../runtime/plan.ts';
import type { Runtime, Shell } from '../../runtime/runtime.ts';
import { UserFacingError } from '../platform/failureMessage.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { Reveal } from '../files/reveal.ts';
import { requireRuntime, type RunContext } from './runContext.ts';
import { planOptionsFrom } from '../platform/settings.ts';
import { shellPlan } from './shellPlan.ts';
import { shortId } from '../task/taskName.ts';
import { requireTrust } from '../platform/trust.ts';
import { commandButton } from '../platform/commands/commandTable.ts';

type OpenShell = NonNullable<Runtime['openShell']>;

/** @throws UserFacingError when there can be no shell; WorkspaceError when the workspace is damaged */
export async function openTaskShell(context: RunContext, reveal: Reveal, task: OpenTask): Promise<void> {
  const { api, failures, snapshots } = context;
  requireTrust(api);
  // A person who does not want to see the tests gets a shell without them.
  const withTests = await reveal.ask(task, 'tests');
  const solution = await snapshots.take(task);
  const settings = context.settings.current;
  const { planRun } = await import('../../verifier/plan/plan.ts');
  const planned = planRun(task.workspace.task, solution, { trace: false, ...planOptionsFrom(settings) });
  if (planned.kind !== 'planned') throw refusal(planned);
  const again = (): Promise<void> => openTaskShell(context, reveal, task);
  const chosen = await requireRuntime(context, task, settings, new AbortController().signal, again);
  if (!chosen) return;
  const { runtime } = chosen;
  if (!runtime.openShell) throw noTerminal(api);
  const { t } = api.l10n;
  const id = shortId(task.state.taskId).replace(/\p{Cc}+/gu, ' ');
  const terminal = new TaskTerminal(
    api,
    (plan, sinks, signal) =>
      runtime.openShell?.(plan, sinks, signal) ?? Promise.resolve({ kind: 'cancelled' }),
    shellPlan(planned.plan, withTests),
    [
      withTests
        ? t('{0} in {1}: solution and tests are in place.', id, chosen.name)
        : t('{0} in {1}: the solution is in place, the tests are hidden.', id, chosen.name),
      t('What you change here is thrown away when the terminal closes.'),
    ].join(' '),
    failures.report,
  );
  api.window.createTerminal({ name: id, pty: terminal, iconPath: new api.ThemeIcon('beaker') }).show();
}

function refusal({ message, remedies }: Fault): UserFacingError {
  return new UserFacingError(message, undefined, { remedies });
}

function noTerminal(api: typeof vscode): UserFacingError {
  return new UserFacingError(
    api.l10n.t(
      'The sandbox has no terminal, so no shell can be opened in it. Start Docker or Podman, then choose Docker as the runtime.',
    ),
    commandButton(api, 'repairBench.selectRuntime', api.l10n.t('Select Runtime…')),
  );
}

class TaskTerminal implements vscode.Pseudoterminal {
  readonly #open: OpenShell;
  readonly #plan: RunPlan;
  readonly #firstLine: string;
  readonly #failed: (error: unknown) => void;
  readonly #closing = new AbortController();
  readonly #decoder = new TextDecoder();
  readonly #written: vscode.EventEmitter<string>;
  readonly #closed: vscode.EventEmitter<void>;
  readonly onDidWrite: vscode.Event<string>;
  readonly onDidClose: vscode.Event<void>;
  #shell: Shell | undefined;
  #size: vscode.TerminalDimensions | undefined;
  #typed = '';

  constructor(
    api: typeof vscode,
    open: OpenShell,
    plan: RunPlan,
    firstLine: string,
    failed: (error: unknown) => void,
  ) {
    this.#open = open;
    this.#plan = plan;
    this.#firstLine = firstLine;
    this.#failed = failed;
    this.#written = new api.EventEmitter<string>();
    this.#closed = new api.EventEmitter<void>();
    this.onDidWrite = this.#written.event;
    this.onDidClose = this.#closed.event;
  }

  open(size: vscode.TerminalDimensions | undefined): void {
    this.#size = size;
    this.#written.fire(`\u001b[2m${this.#firstLine}\u001b[0m\r\n`);
    void this.#run();
  }

  /** The person closed the terminal: the container goes. */
  close(): void {
    this.#closing.abort();
  }

  handleInput(text: string): void {
    if (this.#shell) this.#shell.write(text);
    else this.#typed += text;
  }

  setDimensions(size: vscode.TerminalDimensions): void {
    this.#size = size;
    this.#shell?.resize(size.columns, size.rows);
  }

  async #run(): Promise<void> {
    const result = await this.#open(
      this.#plan,
      {
        ready: (shell) => this.#ready(shell),
        output: (bytes) => this.#written.fire(this.#decoder.decode(bytes, { stream: true })),
        log: (line) => this.#written.fire(`${line}\r\n`),
      },
      this.#closing.signal,
    );
    if (result.kind === 'failed') this.#failed(refusal(result.failure));
    this.#closed.fire();
    this.#written.dispose();
    this.#closed.dispose();
  }

  #ready(shell: Shell): void {
    this.#shell = shell;
    if (this.#size) shell.resize(this.#size.columns, this.#size.rows);
    if (this.#typed !== '') shell.write(this.#typed);
  }
}
