/**
 * Measures writing a dataset anew against the libraries that can: 5,000 rows, once each in a process of its own.
 * `node --import=tsx bench/datasetWrite.ts` runs it alone.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleForBench } from './bundleForBench.ts';
import { WRITTEN_ROWS, writtenFile } from './datasetFiles.ts';

const WRITERS = ['ours', 'hyparquet-writer', 'parquet-wasm'];
const TIME_LIMIT_MS = 120_000;

interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
  readonly maxRssMb: number;
  readonly fileMb: number;
}

/** Prints a table. The others hold the whole table in memory; ours holds a page. */
export async function benchDatasetWrite(): Promise<void> {
  const child = await bundleForBench('datasetWriteChild');
  const source = writtenFile();
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-bench-'));
  try {
    print(`\nWrite ${WRITTEN_ROWS} rows anew, once\n`);
    print(row(['writer', 'time', 'cpu', 'max RSS', 'file']));
    for (const writer of WRITERS) {
      const args = [child, writer, source, join(folder, `${writer}.parquet`)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: TIME_LIMIT_MS });
      const { ms, cpuMs, maxRssMb, fileMb } = JSON.parse(stdout) as Measured;
      print(
        row([
          writer,
          `${ms.toFixed(0)} ms`,
          `${cpuMs.toFixed(0)} ms`,
          `${maxRssMb.toFixed(0)} MB`,
          `${fileMb.toFixed(1)} MB`,
        ]),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(18) : cell.padStart(12))).join('');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchDatasetWrite();
