// Runs a bundled mocha suite inside a real VS Code: a server, a browser on its workbench, and tests in its extension host.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { format } from 'node:util';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import type { VscodeVersion } from './codeServer.ts';
import { readCounts, type SuiteCounts } from './mochaRun.ts';
import { OUTPUT_MARK } from './outputMark.ts';
import { startServer, type VscodeServer } from './vscodeServer.ts';
import { closeWindow } from './workbenchPage.ts';

/** A suite and the VS Code it runs in. */
export interface EditorSuite {
  readonly version: VscodeVersion;
  /** Folder of the extension under test, with its package.json and bundle. */
  readonly extension: string;
  /** The bundle's entry, from `bundleEditorSuite`. */
  readonly entry: string;
  /** Folder that the workbench opens. */
  readonly workspace: string;
  /** Screenshot, console and server log of a failed run go here. */
  readonly artifacts: string;
  /** Milliseconds for the whole suite, workbench included. */
  readonly timeoutMs: number;
  /** Ends the suite early. */
  readonly signal?: AbortSignal;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trust?: boolean;
  /** Added to the environment that the tests see. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the suite and prints its output as it comes. The tests see the VS Code they should be in as `REPAIR_BENCH_VSCODE_VERSION`.
 * @throws Error if the suite gave no counts: it timed out or the extension host died. It names the folder of artifacts.
 */
export async function runEditorSuite(suite: EditorSuite): Promise<SuiteCounts> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-bench-editor-'));
  const resultsFile = join(folder, 'results.json');
  const server = await startServer({
    version: suite.version,
    userDataDir: join(folder, 'user'),
    extensionsDir: join(folder, 'extensions'),
    settings: suite.settings ?? {},
    trust: suite.trust ?? true,
    // Newer builds run no tests without it; older ones ignore it (https://github.com/coder/code-server/pull/7952).
    extraArgs: suite.version === '1.100.3' ? [] : ['--vscode-option', 'enable-smoke-test-driver'],
    env: {
      ...suite.env,
      REPAIR_BENCH_EDITOR_RESULTS: resultsFile,
      REPAIR_BENCH_VSCODE_VERSION: suite.version,
    },
  });
  try {
    const ending = await runInBrowser(suite, server);
    const counts = await readCounts(resultsFile);
    if (counts) return counts;
    throw new Error(`The editor suite on VS Code ${suite.version} ${ending}. See ${suite.artifacts}.`);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Opens the workbench and waits for the suite's end; says how it ended. */
async function runInBrowser(suite: EditorSuite, server: VscodeServer): Promise<string> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const consoleLines: string[] = [];
    page.on('console', (message) => consoleLines.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => consoleLines.push(`pageerror: ${error.message}`));
    await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
      const text = format(...args);
      if (text.startsWith(OUTPUT_MARK)) console.log(text.slice(OUTPUT_MARK.length));
    });
    const exit = new Promise<number>((resolve, reject) => {
      page.on('crash', () => reject(new Error('the page crashed')));
      page.exposeFunction('codeAutomationExit', resolve).catch(reject);
    });
    await page.goto(workbenchUrl(suite, server.origin));
    const code = await Promise.race([
      exit,
      delay(suite.timeoutMs, undefined, { ref: false, ...(suite.signal && { signal: suite.signal }) }),
    ]);
    if (code !== 0) await saveArtifacts(suite.artifacts, page, consoleLines, server);
    if (code === undefined) return `gave no result in ${suite.timeoutMs / 1000} s`;
    await closeWindow(page);
    await server.extensionsEnded();
    return `ended with ${code} and no counts`;
  } finally {
    await browser.close();
  }
}

/**
 * The keys of `payload` are those of VS Code's browser environment service
 * (src/vs/workbench/services/environment/browser/environmentService.ts).
 */
function workbenchUrl(suite: EditorSuite, origin: string): string {
  const remote = (path: string): string => `vscode-remote://${new URL(origin).host}${path}`;
  const payload = [
    ['extensionDevelopmentPath', remote(suite.extension)],
    ['extensionTestsPath', remote(suite.entry)],
    ['skipWelcome', 'true'],
  ];
  return `${origin}/?${new URLSearchParams({ folder: suite.workspace, payload: JSON.stringify(payload) })}`;
}

async function saveArtifacts(
  folder: string,
  page: Page,
  consoleLines: readonly string[],
  server: VscodeServer,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, 'workbench.png') }).catch(() => undefined);
  await writeFile(join(folder, 'console.log'), consoleLines.join('\n'));
  await copyFile(server.logFile, join(folder, 'server.log'));
}
