// Runs test files with mocha, prints as `spec` does, and writes the counts to a file that the caller reads.
import { readFile, writeFile } from 'node:fs/promises';
import Mocha from 'mocha';

/** What a suite came to. */
export interface SuiteCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** How to run a suite. */
export interface MochaRun {
  readonly files: readonly string[];
  /** Milliseconds that one test may take. */
  readonly timeoutMs: number;
  readonly resultsFile: string;
  readonly color: boolean;
  /** Only tests whose full title matches. */
  readonly grep?: string | undefined;
}

/** Runs the files, in order, in this process. */
export async function runMocha(run: MochaRun): Promise<SuiteCounts> {
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', timeout: run.timeoutMs, color: run.color });
  if (run.grep) mocha.grep(run.grep);
  for (const file of run.files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  const counts = await new Promise<SuiteCounts>((resolve) => {
    const runner = mocha.run((failed) => {
      resolve({ passed: runner.stats?.passes ?? 0, failed, skipped: runner.stats?.pending ?? 0 });
    });
  });
  await writeFile(run.resultsFile, JSON.stringify(counts));
  return counts;
}

/** Reads what {@link runMocha} wrote; `undefined` if the run did not get that far. */
export async function readCounts(resultsFile: string): Promise<SuiteCounts | undefined> {
  const text = await readFile(resultsFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const counts: unknown = JSON.parse(text);
  if (!isCounts(counts)) throw new Error(`${resultsFile} does not hold the counts of a suite: ${text}`);
  return counts;
}

function isCounts(value: unknown): value is SuiteCounts {
  if (typeof value !== 'object' || value === null) return false;
  return ['passed', 'failed', 'skipped'].every((key) => Number.isInteger(Reflect.get(value, key)));
}
