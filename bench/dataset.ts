/**
 * Measures datasets against the libraries they are built on: 600,000 rows listed, one cell out of 1 GiB.
 * Every figure comes from a fresh process, bundled as the product is; files are in the system's cache by then.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleForBench } from './bundleForBench.ts';
import { benchDatasetWrite } from './datasetWrite.ts';
import { CELL_ROWS, benchFiles } from './datasetFiles.ts';

const RUNS = 3;
const TIME_LIMIT_MS = 120_000;
const READERS = ['ours', 'hyparquet', 'parquet-wasm'];

interface Measured {
  readonly ms: number;
  /** Time on a processor, which other load does not change. */
  readonly cpuMs: number;
  readonly maxRssMb: number;
  /** A second cell of the same open file. */
  readonly nextMs?: number;
}

/** Makes the files if they are missing, measures, and prints one table per job. */
export async function benchDataset(): Promise<void> {
  const files = benchFiles();
  const child = await bundleForBench('datasetChild');
  const lastCell = CELL_ROWS - 5;
  await table('List 600,000 paths (open included)', child, ['list', files.listing]);
  await table('One cell of 1 GiB, one row group, no page index', child, [
    'cell',
    files.cells,
    String(lastCell),
  ]);
  await benchDatasetWrite();
}

async function table(title: string, child: string, job: readonly string[]): Promise<void> {
  print(`\n${title}, median of ${RUNS}\n`);
  print(row(['reader', 'time', 'ratio', 'cpu', 'max RSS', 'next cell']));
  let baseline: number | undefined;
  for (const reader of READERS) {
    const measured = await measure(child, [reader, ...job]);
    if (measured === undefined) {
      print(row([reader, 'failed', '', '', '', '']));
      continue;
    }
    baseline ??= measured.ms;
    print(
      row([
        reader,
        `${measured.ms.toFixed(0)} ms`,
        `${(measured.ms / baseline).toFixed(1)}x`,
        `${measured.cpuMs.toFixed(0)} ms`,
        `${measured.maxRssMb.toFixed(0)} MB`,
        measured.nextMs === undefined ? '' : `${measured.nextMs.toFixed(1)} ms`,
      ]),
    );
  }
}

/** The run with the median time, or `undefined` when the reader could not do it. */
async function measure(child: string, job: readonly string[]): Promise<Measured | undefined> {
  const runs: Measured[] = [];
  for (let run = 0; run < RUNS; run++) {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [child, ...job], {
        timeout: TIME_LIMIT_MS,
      });
      runs.push(JSON.parse(stdout) as Measured);
    } catch (error) {
      const lines = String(error)
        .split('\n')
        .filter((line) => line.trim() !== '');
      print(`  ${job[0] ?? ''} failed: ${lines.slice(0, 2).join(' ').slice(0, 300)}`);
      return undefined;
    }
  }
  runs.sort((left, right) => left.ms - right.ms);
  return runs[Math.floor(runs.length / 2)];
}

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(14) : cell.padStart(12))).join('');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchDataset();
