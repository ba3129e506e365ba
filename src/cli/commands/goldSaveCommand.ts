/** `repair-bench gold save`: verifies the workspace's solution once more and saves it as a gold fix. */
import { join, resolve } from 'node:path';
import type { GoldFix } from '../../gold/goldFix.ts';
import { GOLD_PATCH, GOLD_RECORD } from '../../gold/goldNames.ts';
import { SOLVE_SCRIPT } from '../../task/taskLayout.ts';
import { saveGoldFix } from '../../gold/saveGoldFix.ts';
import { readSolution } from '../../workspace/readSolution.ts';
import { loadWorkspace, type TaskWorkspace } from '../../workspace/taskWorkspace.ts';
import { WorkspaceError } from '../../workspace/workspaceError.ts';
import { workspaceName } from '../../workspace/workspaceName.ts';
import type { GoldSaveArguments } from '../input/arguments.ts';
import { cancelled, CliError } from '../failures/cliError.ts';
import type { Console } from '../terminal/console.ts';
import { EXIT, type ExitCode } from '../failures/exitCode.ts';
import { readRow, readWorkspace } from '../find/findTask.ts';
import { here } from '../find/here.ts';
import { DOCUMENT_VERSION } from '../documents/jsonDocuments.ts';
import type { TerminalStyle } from '../terminal/terminalStyle.ts';
import { type ChosenRuntime, requireRuntime, verifyOptionsOf } from '../find/runtimeFor.ts';
import { shellWord } from '../../wording/shellWord.ts';
import { joinWords } from '../../wording/joinWords.ts';
import { taskDocument } from '../documents/taskDocument.ts';
import { hang } from '../terminal/textLayout.ts';
import { VERSION } from '../input/version.ts';

/** @throws CliError, GoldError, WorkspaceError */
export async function goldSaveCommand(
  args: GoldSaveArguments,
  console: Console,
  signal: AbortSignal,
): Promise<ExitCode> {
  const workspace = await workspaceOf(args, signal);
  const solution = await readSolution(workspace);
  let used: ChosenRuntime | undefined;
  try {
    const { phase, log } = console.progress;
    const runtime = async () => {
      used = await requireRuntime(args, console, signal);
      return { runtime: used.runtime, name: used.probe.name };
    };
    const saved = await saveGoldFix(
      {
        workspace,
        solution,
        options: {
          verify: await verifyOptionsOf(args),
          startedBy: 'person',
          version: VERSION,
          replace: args.force,
        },
      },
      { runtime, sinks: { phase, log }, signal },
    );
    if (saved.kind === 'cancelled') throw cancelled();
    console.progress.stop();
    printResult(workspace, saved.goldFix, console);
    return EXIT.ok;
  } finally {
    await used?.runtime.dispose();
  }
}

/** @throws CliError, WorkspaceError, DatasetError */
async function workspaceOf(args: GoldSaveArguments, signal: AbortSignal): Promise<TaskWorkspace> {
  const { target, row: wanted, into } = args;
  const named = wanted === undefined ? await readWorkspace(target) : undefined;
  if (named) return named;
  const { task, dataset, row } = await readRow(target, wanted, signal);
  const origin = { dataset: resolve(dataset.location), format: dataset.format, row: row.index };
  const folder = join(resolve(into), workspaceName(task, origin));
  const workspace = await loadWorkspace(folder);
  if (!(workspace instanceof WorkspaceError)) return workspace;
  if (workspace.code !== 'not-a-workspace') throw workspace;
  const open = ['repair-bench', 'open', target, ...(wanted === undefined ? [] : [wanted])];
  throw new CliError(
    'no-workspace',
    `${task.id} has no workspace in ${here(resolve(into))}, so there is no solution to save.`,
    `Make one with "${open.map(shellWord).join(' ')}" and solve the task there, or name the folder of workspaces with --into DIR.`,
  );
}

function printResult(workspace: TaskWorkspace, { folder, record }: GoldFix, console: Console): void {
  if (console.json) {
    console.printJson({
      version: DOCUMENT_VERSION,
      command: 'gold save',
      task: taskDocument(workspace.task),
      workspace: { folder: workspace.folder },
      gold: { folder, record },
    });
    return;
  }
  const { style } = console;
  const how = `in a run of solve.sh and the verifier, in a fresh container without a trace, on ${record.runtime.name}`;
  console.print([
    `${style.paint('green', style.symbols.passed)} ${style.paint('bold', `Reward ${record.reward}`)} ${how}`,
    ...hang('Gold fix   ', here(folder), style.width),
    ...[SOLVE_SCRIPT, GOLD_PATCH, GOLD_RECORD].map((name) => `           ${name}`),
    ...binaryNote(record.notInPatch, style),
    `Check      repair-bench gold check ${shellWord(here(folder))}`,
  ]);
}

function binaryNote(paths: readonly string[], style: TerminalStyle): string[] {
  if (paths.length === 0) return [];
  return hang(
    '! ',
    `${GOLD_PATCH} cannot contain binary files (${joinWords(paths)}); solve.sh writes them.`,
    style.width,
  );
}
