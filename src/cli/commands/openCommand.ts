/** `repair-bench open`: creates or finds the workspace of a row, and prints where to edit and how to verify. */
import { resolve } from 'node:path';
import type { Task } from '../../task/task.ts';
import { openOrCreateWorkspace } from '../../workspace/createWorkspace.ts';
import { isUnchanged } from '../../verifier/plan/solution.ts';
import { readSolution } from '../../workspace/readSolution.ts';
import type { TaskWorkspace } from '../../workspace/taskWorkspace.ts';
import { hostPathOf } from '../../workspace/workPaths.ts';
import type { OpenArguments } from '../input/arguments.ts';
import type { Console } from '../terminal/console.ts';
import { EXIT, type ExitCode } from '../failures/exitCode.ts';
import { readRow } from '../find/findTask.ts';
import { here } from '../find/here.ts';
import { DOCUMENT_VERSION } from '../documents/jsonDocuments.ts';
import type { TerminalStyle } from '../terminal/terminalStyle.ts';
import { shellWord } from '../../wording/shellWord.ts';
import { taskDocument } from '../documents/taskDocument.ts';
import { hang, oneLine, printable } from '../terminal/textLayout.ts';

const MOST_FILES = 20;

export async function openCommand(
  { dataset: location, row: wanted, into }: OpenArguments,
  console: Console,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { task, dataset, row } = await readRow(location, wanted, signal);
  const { workspace, created } = await openOrCreateWorkspace(into, task, {
    dataset: resolve(dataset.location),
    format: dataset.format,
    row: row.index,
  });
  const files = task.family.solution.map(({ path }) => ({ path, hostPath: hostPathOf(workspace, path) }));
  if (console.json) {
    console.printJson({
      version: DOCUMENT_VERSION,
      command: 'open',
      task: { ...taskDocument(task), instruction: task.instruction ?? null },
      dataset,
      row,
      workspace: { folder: workspace.folder, created, files },
    });
    return EXIT.ok;
  }
  const folder = here(workspace.folder);
  console.print([
    ...instruction(task, console.style),
    ...(created
      ? hang('Workspace  ', folder, console.style.width)
      : hang('Workspace  ', `${folder} (${await workspaceState(workspace)})`, console.style.width)),
    ...files
      .slice(0, MOST_FILES)
      .map(
        ({ hostPath }, index) => `${index === 0 ? 'Edit       ' : '           '}${oneLine(here(hostPath))}`,
      ),
    ...(files.length > MOST_FILES ? [`           and ${files.length - MOST_FILES} more`] : []),
    `Verify     repair-bench verify ${shellWord(folder)}`,
    ...task.problems.flatMap(({ file, message }) => [
      '',
      ...hang('! ', `${file}: ${message}`, console.style.width),
    ]),
  ]);
  return EXIT.ok;
}

/** Whether a workspace that already existed has edits. */
async function workspaceState(workspace: TaskWorkspace): Promise<string> {
  // "verify" reports a solution that cannot be read; here it counts as edited.
  const solution = await readSolution(workspace).catch(() => undefined);
  return solution && isUnchanged(workspace.task, solution)
    ? 'it was there already, as shipped'
    : 'it was there already, with your edits';
}

function instruction({ instruction: text }: Task, style: TerminalStyle): string[] {
  if (text === undefined || text.trim() === '') return [];
  // Not wrapped: its own line breaks are better than ours.
  return [
    ...printable(text.trim()).split('\n'),
    '',
    style.paint('dim', '-'.repeat(Math.min(style.width, 60))),
  ];
}
