/** `repair-bench gold export`: writes gold fixes into a new dataset, or one of them into its own task. */
import { withDataset } from '../../dataset/withDataset.ts';
import type { WrittenDataset } from '../../dataset/write/writeDataset.ts';
import { exportGoldFixes, type ExportProgress } from '../../gold/export/exportGoldFixes.ts';
import { exportOne } from '../../gold/export/exportOne.ts';
import type { Unmatched } from '../../gold/export/matchGoldFixes.ts';
import { counted } from '../../wording/counted.ts';
import { joinWords } from '../../wording/joinWords.ts';
import type { GoldExportArguments } from '../input/arguments.ts';
import type { Console } from '../terminal/console.ts';
import { EXIT, type ExitCode } from '../failures/exitCode.ts';
import { findGoldFix } from '../find/findGoldFix.ts';
import { here } from '../find/here.ts';
import { DOCUMENT_VERSION } from '../documents/jsonDocuments.ts';
import { hang } from '../terminal/textLayout.ts';

interface Exported extends WrittenDataset {
  readonly skipped: readonly Unmatched[];
}

/** @throws CliError, GoldError, WorkspaceError, DatasetError, TaskArchiveError */
export async function goldExportCommand(
  args: GoldExportArguments,
  console: Console,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { dataset, folders, to, skipUnmatched, force } = args;
  const exported =
    dataset === undefined
      ? await exportAlone(folders[0] ?? '', to, force, signal)
      : await exportInto(dataset, folders, to, {
          skipUnmatched,
          force,
          onProgress: progressPrinter(console),
          signal,
        });
  console.progress.stop();
  printResult(exported, console);
  return EXIT.ok;
}

async function exportAlone(
  target: string,
  to: string,
  force: boolean,
  signal: AbortSignal,
): Promise<Exported> {
  const found = await findGoldFix({ target, row: undefined, task: undefined }, signal);
  const format = await exportOne(found.goldFix, found.task, to, force);
  return { location: to, format, rows: 1, replaced: 1, leftOut: [], skipped: [] };
}

async function exportInto(
  location: string,
  folders: readonly string[],
  to: string,
  options: Parameters<typeof exportGoldFixes>[3] & { readonly signal: AbortSignal },
): Promise<Exported> {
  return withDataset(location, options.signal, (dataset) => exportGoldFixes(dataset, folders, to, options));
}

/** Prints a line for each phase, and on a terminal its progress. */
function progressPrinter({ progress }: Console): (progress: ExportProgress) => void {
  let current: ExportProgress['phase'] | undefined;
  return ({ phase, done, total }) => {
    if (phase !== current) progress.doing(phase === 'rows' ? 'writing rows' : 'reading gold fixes');
    current = phase;
    progress.log(`${done} of ${total}`);
  };
}

function printResult({ skipped, ...written }: Exported, console: Console): void {
  const { location, format, rows, replaced, leftOut } = written;
  const untouched = rows - replaced;
  if (console.json) {
    console.printJson({
      version: DOCUMENT_VERSION,
      command: 'gold export',
      written: { location, format, rows, withGold: replaced, untouched, leftOut: [...leftOut] },
      skipped: [...skipped],
    });
    return;
  }
  const { style } = console;
  console.print([
    `${style.paint('green', style.symbols.passed)} ${counted(rows, 'row')}, ${replaced} with gold fix, ${untouched} untouched`,
    ...hang('Written    ', here(location), style.width),
  ]);
  for (const { because } of skipped) console.note(hang('! ', `Left out: ${because}`, style.width));
  if (leftOut.length > 0)
    console.note(
      hang(
        '! ',
        `These columns are left out, since a ${format} cannot hold them: ${joinWords(leftOut)}.`,
        style.width,
      ),
    );
}
