/** `repair-bench list`: the rows of a dataset. */
import { withDataset } from '../../dataset/withDataset.ts';
import { counted } from '../../wording/counted.ts';
import type { ListArguments } from '../input/arguments.ts';
import type { Console } from '../terminal/console.ts';
import { EXIT, type ExitCode } from '../failures/exitCode.ts';
import { DOCUMENT_VERSION } from '../documents/jsonDocuments.ts';
import { oneLine } from '../terminal/textLayout.ts';

export async function listCommand(
  { dataset: location, filter, limit }: ListArguments,
  console: Console,
  signal: AbortSignal,
): Promise<ExitCode> {
  return withDataset(location, signal, async (dataset) => {
    const paths = await dataset.paths(signal);
    const most = Math.min(limit, paths.length);
    const found = paths.find(filter, Math.min(most + 1, paths.length));
    const more = found.length > most;
    const rows = found.slice(0, most).map((index) => ({ index, path: paths.pathAt(index) }));
    const { format, rowCount, columns } = dataset;
    if (console.json) {
      console.printJson({
        version: DOCUMENT_VERSION,
        command: 'list',
        dataset: { location: dataset.location, format, rowCount, columns: [...columns] },
        rows,
        more,
      });
      return EXIT.ok;
    }
    const width = String(rows.at(-1)?.index ?? 0).length + 1;
    console.print(rows.map(({ index, path }) => `${`#${index}`.padStart(width)}  ${oneLine(path)}`));
    console.note([summary(rows.length, rowCount, filter, more)]);
    return EXIT.ok;
  });
}

function summary(shown: number, rowCount: number, filter: string, more: boolean): string {
  const rows = counted(rowCount, 'row');
  const matching = filter === '' ? '' : ` with "${oneLine(filter)}"`;
  if (more) return `The first ${shown}${matching} of ${rows}; --limit 0 shows all.`;
  return shown === rowCount ? `${rows}.` : `${shown}${matching} of ${rows}.`;
}
