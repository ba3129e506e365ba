/**
 * The tools that language models in VS Code may call: read a task, run its verifier. A person confirms each call that
 * makes or runs something, a setting switches both off, and errors are written for a model to act on.
 */
import type * as vscode from 'vscode';
import { joinWords } from '../../wording/joinWords.ts';
import { abortOn } from '../platform/cancellable.ts';
import type { DatasetLibrary } from '../datasets/datasetLibrary.ts';
import { messageOf } from '../platform/failureMessage.ts';
import { openRow } from '../datasets/openRow.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { EditorContext } from '../run/editorContext.ts';
import { shortId } from '../task/taskName.ts';

interface ToolContext extends EditorContext {
  readonly library: DatasetLibrary;
}

export const GET_TASK = 'repair_bench_get_task';
export const RUN_VERIFIER = 'repair_bench_run_verifier';

const MOST_OPEN_NAMED = 10;

export function registerLanguageModelTools(
  context: EditorContext,
  library: DatasetLibrary,
): vscode.Disposable {
  const { api } = context;
  const tools: ToolContext = { ...context, library };
  return api.Disposable.from(
    api.lm.registerTool<unknown>(GET_TASK, {
      prepareInvocation: ({ input }) => prepareGetTask(tools, input),
      invoke: ({ input }, token) => answered(tools, token, () => getTask(tools, input)),
    }),
    api.lm.registerTool<unknown>(RUN_VERIFIER, {
      prepareInvocation: ({ input }) => prepareRunVerifier(tools, input),
      invoke: ({ input }, token) => answered(tools, token, (signal) => runVerifier(tools, input, signal)),
    }),
  );
}

/** Only describes the call: `invoke` says what is wrong with the input. */
async function prepareGetTask({ api }: ToolContext, input: unknown): Promise<vscode.PreparedToolInvocation> {
  const { checkGetTask } = await import('./agentInput.ts');
  const checked = checkGetTask(input);
  const invocationMessage = api.l10n.t('Reading the task');
  if (!checked.ok || checked.input.kind === 'workspace') return { invocationMessage };
  const { dataset, row } = checked.input;
  return {
    invocationMessage,
    confirmationMessages: {
      title: api.l10n.t('Open a task'),
      message: plain(
        api,
        api.l10n.t('A workspace is made for row {0} of {1}, unless there is one already.', row, dataset),
      ),
    },
  };
}

async function prepareRunVerifier(
  { api, tasks, current }: ToolContext,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { checkRunVerifier } = await import('./agentInput.ts');
  const checked = checkRunVerifier(input);
  const named = checked.ok ? checked.input.workspace : undefined;
  const task = named === undefined ? current.task : tasks.loadedFor(api.Uri.file(named));
  const name = task ? shortId(task.state.taskId) : (named ?? api.l10n.t('the current task'));
  return {
    invocationMessage: api.l10n.t('Running the verifier'),
    confirmationMessages: {
      title: api.l10n.t('Run a verifier'),
      message: plain(
        api,
        api.l10n.t(
          "The solution of {0} is saved, and the task's own scripts run on it, in a container or sandbox. The run is kept in the history as started by an agent.",
          name,
        ),
      ),
    },
  };
}

async function getTask(context: ToolContext, given: unknown): Promise<object> {
  const { checkGetTask } = await import('./agentInput.ts');
  const checked = checkGetTask(given);
  if (!checked.ok) throw new Error(checked.error);
  const { input } = checked;
  const task =
    input.kind === 'row'
      ? await openNamedRow(context, input.dataset, input.row)
      : await findTask(context, input.workspace);
  const [{ taskAnswer }, { hostPathOf }] = await Promise.all([
    import('./agentAnswers.ts'),
    import('../../workspace/workPaths.ts'),
  ]);
  const { workspace } = task;
  return taskAnswer({
    task: workspace.task,
    folder: task.folder,
    hostPathOf: (path) => hostPathOf(workspace, path),
    isRevealed: (kind) => task.isRevealed(kind),
  });
}

async function runVerifier(context: ToolContext, given: unknown, signal: AbortSignal): Promise<object> {
  const { api, runs } = context;
  const { checkRunVerifier } = await import('./agentInput.ts');
  const checked = checkRunVerifier(given);
  if (!checked.ok) throw new Error(checked.error);
  if (!api.workspace.isTrusted)
    throw new Error(
      'The person has not trusted this VS Code workspace, so nothing of a task may run in it. Ask them to trust it ("Workspaces: Manage Workspace Trust"); calling again does not help until then.',
    );
  const task = await findTask(context, checked.input.workspace);
  if (runs.isRunning(task))
    throw new Error(
      'A run of this task is under way already. Wait until it has ended, then call again; a second run would cancel it.',
    );
  const verdict = await runs.verify(task, { startedBy: 'agent', signal });
  if (verdict === undefined) {
    if (signal.aborted) throw new api.CancellationError();
    throw new Error(
      'The run was stopped by the person, or replaced by a newer one. Ask before you call again.',
    );
  }
  const [{ runAnswer }, { hostPathOf }] = await Promise.all([
    import('./agentAnswers.ts'),
    import('../../workspace/workPaths.ts'),
  ]);
  const { workspace } = task;
  return runAnswer(verdict, {
    hostPathOf: (path) => hostPathOf(workspace, path),
    isRevealed: (kind) => task.isRevealed(kind),
    solution: new Set(workspace.task.family.solution.map(({ path }) => path)),
  });
}

async function findTask({ api, tasks, current }: ToolContext, named: string | undefined): Promise<OpenTask> {
  if (named === undefined) {
    if (current.task) return current.task;
    const open = tasks.all.map(({ folder }) => JSON.stringify(folder));
    throw new Error(
      open.length === 0
        ? 'No task is open. Pass "workspace" with the absolute path of a task\'s workspace, or "dataset" and "row" to repair_bench_get_task.'
        : `No task is the current one. Pass "workspace", one of: ${joinWords(open, { most: MOST_OPEN_NAMED, last: 'or' })}.`,
    );
  }
  const task = await tasks.findFor(api.Uri.file(named));
  if (task) return task;
  throw new Error(
    `${JSON.stringify(named)} is no workspace of a task, and lies in none. Pass the absolute path of the folder that holds workspace.json, as repair_bench_get_task tells it.`,
  );
}

async function openNamedRow(context: ToolContext, dataset: string, row: string): Promise<OpenTask> {
  const { library, current } = context;
  const { paths } = await library.opened(dataset);
  const [found, ...others] = paths.rowsOf(row);
  const index = /^#(\d{1,15})$/.exec(row)?.[1];
  const chosen = found ?? (index === undefined ? undefined : Number(index));
  if (others.length > 0)
    throw new Error(
      `${others.length + 1} rows of this dataset have that path. Pass one of them as "row": ${joinWords(
        [found, ...others].map((each) => `"#${each}"`),
        { most: MOST_OPEN_NAMED, last: 'or' },
      )}.`,
    );
  if (chosen === undefined || chosen >= paths.length) {
    const some = paths.slice(0, MOST_OPEN_NAMED).map((path) => JSON.stringify(path));
    throw new Error(
      `The dataset has no row ${JSON.stringify(row)}. Pass a path as it is written there, or "#0" to "#${paths.length - 1}". Its first rows: ${joinWords(some)}.`,
    );
  }
  const task = await openRow(context, library, dataset, chosen);
  current.set(task);
  return task;
}

/** Does a tool's work, unless the tools are switched off, until the call is cancelled; gives its answer as text. */
async function answered(
  { api, settings }: ToolContext,
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<object>,
): Promise<vscode.LanguageModelToolResult> {
  if (!settings.current.languageModelTools)
    throw new Error(
      'The person has switched these tools off (setting repairBench.languageModelTools). Do not call them again.',
    );
  try {
    if (token.isCancellationRequested) throw new api.CancellationError();
    const answer = await abortOn(token, work);
    return new api.LanguageModelToolResult([
      new api.LanguageModelTextPart(JSON.stringify(answer, undefined, 1)),
    ]);
  } catch (error) {
    if (error instanceof api.CancellationError) throw error;
    throw new Error(messageOf(error, api.l10n.t), { cause: error });
  }
}

/** As plain text: a task or a model may have written Markdown into it. */
function plain(api: typeof vscode, text: string): vscode.MarkdownString {
  return new api.MarkdownString().appendText(text);
}
