// The suites of `npm test`: which hosts each needs, and how it runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBaseImage, ensureDebugpyImage, ensureNoBashImage } from './baseImage.ts';
import { ensureChromium } from './browser.ts';
import { bundleEditorSuite } from './bundleEditorSuite.ts';
import { ensureCodeServer, VSCODE_VERSIONS } from './codeServer.ts';
import { runEditorSuite } from './editorSuite.ts';
import { ensureEngine, type Engine } from './engine.ts';
import { glob } from './files.ts';
import { readCounts, type SuiteCounts } from './mochaRun.ts';
import { ROOT } from './root.ts';
import { ensureSandbox } from './sandbox.ts';

const OUT = join(ROOT, 'out');
const MINUTE_MS = 60_000;

/** One suite. `title` is what the summary calls it. */
export interface Suite {
  readonly title: string;
  /** It leaves nothing there: see `leftovers.ts`. */
  readonly usesEngine: boolean;
  /** Sets up what the suite needs; rejects if that cannot be had, and the suite is skipped. */
  readonly prepare: (hosts: Hosts) => Promise<void>;
  /** Runs it; rejects if it came to no counts. */
  readonly run: (options: SuiteOptions) => Promise<SuiteCounts>;
}

/** What `npm test` passes on. */
export interface SuiteOptions {
  /** Only tests whose full title matches. */
  readonly grep?: string | undefined;
  /** Ends the suite early. */
  readonly signal: AbortSignal;
}

/** What the suites of one `npm test` share. */
export interface Hosts {
  /** The engine, asked for once; it is this run's to stop if it started it. */
  engine?: Promise<Engine>;
}

/** Suites by the name that the command line takes, in the order they run; editor has one per VS Code. */
export const SUITES: Readonly<Record<string, readonly Suite[]>> = {
  lint: [{ title: 'lint', usesEngine: false, prepare: nothing, run: runLint }],
  unit: [nodeSuite('unit', { usesEngine: false, prepare: nothing, testMs: 20_000, suiteMs: 10 * MINUTE_MS })],
  engine: [
    nodeSuite('engine', {
      usesEngine: true,
      prepare: prepareRuntimes,
      testMs: 3 * MINUTE_MS,
      suiteMs: 50 * MINUTE_MS,
    }),
  ],
  editor: VSCODE_VERSIONS.map((version) => ({
    title: `editor ${version}`,
    usesEngine: true,
    async prepare(hosts) {
      await testsOf('editor');
      await prepareRuntimes(hosts);
      await ensureChromium();
      await ensureCodeServer(version);
    },
    run: (options) => runInEditor(version, options),
  })),
  e2e: [
    nodeSuite('e2e', {
      usesEngine: true,
      prepare: prepareEndToEnd,
      testMs: 3 * MINUTE_MS,
      suiteMs: 40 * MINUTE_MS,
    }),
  ],
};

async function nothing(): Promise<void> {
  // Nothing but Node.
}

async function prepareRuntimes(hosts: Hosts): Promise<void> {
  hosts.engine ??= ensureEngine();
  const engine = await hosts.engine;
  await ensureBaseImage(engine);
  await ensureNoBashImage(engine);
  await ensureDebugpyImage(engine);
  await ensureSandbox();
}

async function prepareEndToEnd(hosts: Hosts): Promise<void> {
  await prepareRuntimes(hosts);
  await ensureChromium();
  for (const version of VSCODE_VERSIONS) await ensureCodeServer(version);
}

interface NodeSuiteOptions extends Pick<Suite, 'usesEngine' | 'prepare'> {
  readonly testMs: number;
  readonly suiteMs: number;
}

function nodeSuite(name: string, options: NodeSuiteOptions): Suite {
  return {
    title: name,
    usesEngine: options.usesEngine,
    prepare: async (hosts) => {
      await testsOf(name);
      await options.prepare(hosts);
    },
    run: async ({ grep, signal }) => {
      const files = await testsOf(name);
      const env: Record<string, string> = {};
      await mkdir(OUT, { recursive: true });
      if (name === 'e2e') env['REPAIR_BENCH_VSIX'] = await packageExtension(signal);
      const results = join(OUT, `${name}-results.json`);
      await rm(results, { force: true });
      const args = ['--import=tsx', join(import.meta.dirname, 'nodeSuite.ts'), '--results', results].concat(
        ['--timeout', String(options.testMs)],
        grep ? ['--grep', grep] : [],
        files,
      );
      const ending = await runChild(process.execPath, args, { signal, timeoutMs: options.suiteMs, env });
      const counts = await readCounts(results);
      if (!counts) throw new Error(`The ${name} suite ${ending} before its end.`);
      return counts;
    },
  };
}

async function runInEditor(
  version: (typeof VSCODE_VERSIONS)[number],
  { grep, signal }: SuiteOptions,
): Promise<SuiteCounts> {
  const entry = await bundleEditorSuite({ tests: join(ROOT, 'test/editor'), out: join(OUT, 'editor') });
  const workspace = await mkdtemp(join(tmpdir(), 'repair-bench-workspace-'));
  try {
    return await runEditorSuite({
      version,
      extension: ROOT,
      entry,
      workspace,
      artifacts: join(OUT, 'editor-artifacts', version),
      timeoutMs: 20 * MINUTE_MS,
      signal,
      env: { REPAIR_BENCH_ROOT: ROOT, ...(grep ? { REPAIR_BENCH_GREP: grep } : {}) },
    });
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

async function runLint({ signal }: SuiteOptions): Promise<SuiteCounts> {
  const ending = await runChild('npm', ['run', '--silent', 'lint'], { signal, timeoutMs: 10 * MINUTE_MS });
  const failed = ending === 'exited with 0' ? 0 : 1;
  return { passed: 1 - failed, failed, skipped: 0 };
}

/** Packages the extension as it is published; returns the path of the .vsix. */
async function packageExtension(signal: AbortSignal): Promise<string> {
  const vsix = join(OUT, 'repair-bench.vsix');
  const args = ['run', '--silent', 'package', '--', '--out', vsix];
  const ending = await runChild('npm', args, { signal, timeoutMs: 5 * MINUTE_MS });
  if (ending !== 'exited with 0') throw new Error(`Packaging the extension ${ending}.`);
  return vsix;
}

async function testsOf(name: string): Promise<string[]> {
  const files = await glob(join(ROOT, 'test', name), '.test.ts');
  if (files.length === 0) throw new Error(`There are no tests in test/${name}.`);
  return files;
}

interface ChildOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a child in the repository with our output as its own; says how it ended. */
export async function runChild(
  command: string,
  args: readonly string[],
  options: ChildOptions,
): Promise<string> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'inherit', 'inherit'],
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]),
  });
  try {
    await once(child, 'exit');
    return child.exitCode === null ? `was killed by ${child.signalCode}` : `exited with ${child.exitCode}`;
  } catch (error) {
    if (options.signal.aborted) return 'was interrupted';
    if (error instanceof Error && error.name === 'AbortError')
      return `took longer than ${options.timeoutMs / MINUTE_MS} min`;
    throw error;
  }
}
