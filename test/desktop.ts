// The editor suite in a desktop VS Code, through @vscode/test-electron: `npm run test:desktop`.
// VSCODE_EXECUTABLE names an installed VS Code; without it one is downloaded, which needs the internet.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleEditorSuite } from './host/bundleEditorSuite.ts';
import { readCounts } from './host/mochaRun.ts';
import { ROOT } from './host/root.ts';
import { runChild } from './host/suites.ts';

const OLDEST = '1.100.3';
const BUILD_MS = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'repair-bench-desktop-'));
const resultsFile = join(folder, 'results.json');
const vscodeExecutablePath = process.env['VSCODE_EXECUTABLE'];
try {
  const built = await runChild(process.execPath, ['esbuild.mjs'], {
    signal: new AbortController().signal,
    timeoutMs: BUILD_MS,
  });
  if (built !== 'exited with 0') throw new Error(`The build ${built}.`);
  const entry = await bundleEditorSuite({
    tests: join(ROOT, 'test/editor'),
    out: join(ROOT, 'out/editor-suite'),
  });
  await runTests({
    ...(vscodeExecutablePath === undefined ? { version: OLDEST } : { vscodeExecutablePath }),
    extensionDevelopmentPath: ROOT,
    extensionTestsPath: entry,
    launchArgs: [folder, '--disable-extensions', '--disable-workspace-trust'],
    extensionTestsEnv: { REPAIR_BENCH_EDITOR_RESULTS: resultsFile, REPAIR_BENCH_ROOT: ROOT },
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  const counts = await readCounts(resultsFile);
  rmSync(folder, { recursive: true, force: true });
  console.log(
    counts
      ? `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
      : '0 passed, 1 failed, 0 skipped',
  );
}
