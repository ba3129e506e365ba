// Suites that run side by side: each lane is a process of its own that runs its suites one after the other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { ROOT } from './root.ts';

/** The suite of the engine takes as long as all others together, and mostly waits. */
const LANES: readonly (readonly string[])[] = [['engine'], ['lint', 'unit', 'editor', 'e2e']];

/** As `test/run.ts` prints it before each suite. */
const SUITE_HEADING = /^=== (.+) ===$/;

const endingsSchema = z.array(
  z.object({
    title: z.string(),
    ending: z.union([
      z.object({
        counts: z.object({ passed: z.number(), failed: z.number(), skipped: z.number() }),
        seconds: z.number(),
      }),
      z.object({ skip: z.string() }),
      z.object({ failure: z.string() }),
    ]),
  }),
);

/** How each suite ended: with counts, not at all because something is missing, or before its end. */
export type SuiteEndings = z.infer<typeof endingsSchema>;
export type SuiteEnding = SuiteEndings[number]['ending'];

/** The lanes that these suites need, each with its suites. */
export function lanesOf(names: readonly string[]): readonly (readonly string[])[] {
  return LANES.map((lane) => lane.filter((name) => names.includes(name))).filter(({ length }) => length > 0);
}

/** Runs one lane, with the title of the suite before each line that it prints. Never throws. */
export async function runLane(
  names: readonly string[],
  { grep, signal }: { readonly grep: string | undefined; readonly signal: AbortSignal },
): Promise<SuiteEndings> {
  const title = names.join(', ');
  const folder = await mkdtemp(join(tmpdir(), 'repair-bench-lane-'));
  const file = join(folder, 'endings.json');
  try {
    const args = ['--import=tsx', join(ROOT, 'test/run.ts'), '--lane', file, ...names];
    const child = spawn(process.execPath, grep === undefined ? args : [...args, '--grep', grep], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    let suite = names[0] ?? '';
    await Promise.all([
      once(child, 'exit'),
      printed(child.stdout, (line) => {
        suite = SUITE_HEADING.exec(line)?.[1] ?? suite;
        process.stdout.write(`${suite} | ${line}\n`);
      }),
      printed(child.stderr, (line) => process.stderr.write(`${suite} | ${line}\n`)),
    ]);
    signal.removeEventListener('abort', stop);
    return endingsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ title, ending: { failure: `the process of these suites gave no results: ${why}` } }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function printed(stream: Readable, print: (line: string) => void): Promise<void> {
  for await (const line of createInterface({ input: stream })) print(line);
}
