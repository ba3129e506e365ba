// What `npm test` runs: `tsx test/run.ts [--grep TEXT] [lint] [unit] [engine] [editor] [e2e]`; all but lint unless told.
// The last line is always `N passed, N failed, N skipped`; the exit code is 1 if anything failed.
import { parseArgs } from 'node:util';
import { stopEngine } from './host/engine.ts';
import { leavingNothing } from './host/leftovers.ts';
import type { SuiteCounts } from './host/mochaRun.ts';
import { runChild, SUITES, type Hosts, type Suite } from './host/suites.ts';

const BUILD_MS = 300_000;
const NONE: SuiteCounts = { passed: 0, failed: 0, skipped: 0 };

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
const names = positionals.length > 0 ? positionals : Object.keys(SUITES).filter((name) => name !== 'lint');
const unknown = names.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
  console.error(`No suite is called ${unknown.join(' or ')}; there are: ${Object.keys(SUITES).join(', ')}.`);
  process.exit(2);
}

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());

const hosts: Hosts = {};
const summary: string[] = [];
let total = NONE;
const chosen = Object.entries(SUITES).filter(([name]) => names.includes(name));
// Unit tests need nothing built.
const built = chosen.every(([name]) => name === 'unit' || name === 'lint') || (await build());
for (const [name, suites] of chosen) {
  for (const suite of suites) {
    const needsBuild = name !== 'unit' && name !== 'lint';
    record(suite.title, needsBuild && !built ? { failure: 'the build failed' } : await runSuite(suite));
  }
}
await stopOwnEngine();
for (const line of summary) console.log(line);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 ? 1 : 0);

type Ending =
  | { readonly counts: SuiteCounts; readonly seconds: number }
  | { readonly skip: string }
  | { readonly failure: string };

async function runSuite(suite: Suite): Promise<Ending> {
  if (interrupt.signal.aborted) return { failure: 'interrupted' };
  console.log(`\n=== ${suite.title} ===`);
  try {
    await suite.prepare(hosts);
  } catch (error) {
    return { skip: inOneLine(error) };
  }
  const start = Date.now();
  try {
    const counts = await countsOf(suite);
    return { counts, seconds: (Date.now() - start) / 1000 };
  } catch (error) {
    return { failure: inOneLine(error) };
  }
}

/** What a suite left on the engine counts as one failed test more. */
async function countsOf(suite: Suite): Promise<SuiteCounts> {
  const run = (): Promise<SuiteCounts> => suite.run({ grep: values.grep, signal: interrupt.signal });
  const engine = suite.usesEngine ? await hosts.engine : undefined;
  if (!engine) return run();
  const { result, left } = await leavingNothing(engine, run);
  if (left.length === 0) return result;
  console.log(`\n  ${suite.title} left on the engine, which was removed if it could be:`);
  for (const each of left) console.log(`    ${each}`);
  return { ...result, failed: result.failed + 1 };
}

/** Adds a suite's ending to the summary. One that could not run counts as one test, skipped or failed. */
function record(title: string, ending: Ending): void {
  if ('counts' in ending) {
    const { passed, failed, skipped } = ending.counts;
    add(ending.counts);
    summary.push(
      `${title}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${ending.seconds.toFixed(1)} s`,
    );
  } else if ('skip' in ending && process.env['REPAIR_BENCH_NO_SKIP'] !== '1') {
    add({ ...NONE, skipped: 1 });
    summary.push(`${title}: skipped: ${ending.skip}`);
  } else {
    add({ ...NONE, failed: 1 });
    summary.push(
      `${title}: failed: ${'skip' in ending ? `may not be skipped: ${ending.skip}` : ending.failure}`,
    );
  }
}

function add(counts: SuiteCounts): void {
  total = {
    passed: total.passed + counts.passed,
    failed: total.failed + counts.failed,
    skipped: total.skipped + counts.skipped,
  };
}

async function build(): Promise<boolean> {
  const ending = await runChild(process.execPath, ['esbuild.mjs'], {
    signal: interrupt.signal,
    timeoutMs: BUILD_MS,
  });
  return ending === 'exited with 0';
}

async function stopOwnEngine(): Promise<void> {
  const engine = await hosts.engine?.catch(() => undefined);
  if (engine && engine.how !== 'reused') await stopEngine(engine);
}

/** Without the quoted output of a command, which the log has too. */
function inOneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .split('\n')
    .filter((line) => !line.startsWith('  | '))
    .join(' ');
}
