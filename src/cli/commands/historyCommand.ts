/** `repair-bench history`: every run of a workspace, newest first, with what changed since the run before. */
import { counted } from '../../wording/counted.ts';
import { passedGates } from '../../verifier/verdict/verdictFacts.ts';
import { type HistoryEntry, readHistory } from '../../workspace/runs/history.ts';
import type { HistoryArguments } from '../input/arguments.ts';
import { CliError } from '../failures/cliError.ts';
import type { Console } from '../terminal/console.ts';
import { EXIT, type ExitCode } from '../failures/exitCode.ts';
import { readWorkspace } from '../find/findTask.ts';
import { DOCUMENT_VERSION, type HistoryDocument } from '../documents/jsonDocuments.ts';
import { renderRun } from '../render/renderHistory.ts';
import { hang, oneLine } from '../terminal/textLayout.ts';

export async function historyCommand(
  { workspace: target, limit }: HistoryArguments,
  console: Console,
): Promise<ExitCode> {
  const workspace = await readWorkspace(target);
  if (!workspace)
    throw new CliError(
      'not-a-workspace',
      `${target} is not a workspace, so it has no history.`,
      'Name the folder that "repair-bench open" printed.',
    );
  const { entries, damaged } = await readHistory(workspace, limit);
  const task = workspace.facts.task;
  if (console.json) {
    console.printJson({
      version: DOCUMENT_VERSION,
      command: 'history',
      workspace: { folder: workspace.folder, task },
      runs: entries.map(runDocument),
      damaged: [...damaged],
    });
    return EXIT.ok;
  }
  const { style } = console;
  console.print(entries.flatMap((entry) => renderRun(entry, style)));
  console.note([`${counted(entries.length, 'run')} of ${oneLine(task)}.`]);
  for (const file of damaged)
    console.note(hang('! ', `The run file ${file} is damaged: it was edited or cut short.`, style.width));
  return EXIT.ok;
}

function runDocument({ file, record, kept, files, gates }: HistoryEntry): HistoryDocument['runs'][number] {
  const { verdict } = record;
  return {
    file,
    at: record.at,
    startedBy: record.startedBy,
    subject: record.subject,
    runtime: record.runtime,
    outcome: verdict.outcome,
    reward: verdict.outcome === 'scored' ? verdict.reward : null,
    gates: passedGates(verdict),
    solution: { hash: verdict.holdsFor.solution, kept },
    changes:
      files?.map(({ path, change, lines }) => ({
        path,
        change,
        added: lines?.added ?? null,
        removed: lines?.removed ?? null,
      })) ?? null,
    turned: gates.map(({ id, title, from, to }) => ({ id, title, from: from ?? null, to })),
  };
}
