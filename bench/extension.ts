// What the extension costs its user: milliseconds to activate in a real VS Code, bytes to download.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { bundleEditorSuite } from '../test/host/bundleEditorSuite.ts';
import { ensureChromium } from '../test/host/browser.ts';
import { ensureCodeServer } from '../test/host/codeServer.ts';
import { runEditorSuite } from '../test/host/editorSuite.ts';
import { ROOT } from '../test/host/root.ts';
import { median } from './statistics.ts';

const VERSION = '1.139.1';
const STARTS = 3;
const START_MS = 120_000;

const activation = z.object({ loadAndActivate: z.number(), activate: z.number() });

/** Builds, packages, starts VS Code a few times, and prints activation time and package size. */
export async function benchExtension(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'repair-bench-bench-'));
  try {
    run(process.execPath, ['esbuild.mjs']);
    const vsix = join(folder, 'repair-bench.vsix');
    run('npm', ['run', '--silent', 'package', '--', '--out', vsix]);
    await ensureChromium();
    await ensureCodeServer(VERSION);
    const figures = join(folder, 'activation.txt');
    const entry = await bundleEditorSuite({
      tests: join(ROOT, 'bench/activation'),
      out: join(ROOT, 'out/activation-suite'),
    });
    for (let start = 0; start < STARTS; start += 1)
      await runEditorSuite({
        version: VERSION,
        extension: ROOT,
        entry,
        workspace: folder,
        artifacts: join(ROOT, 'out/activation-artifacts'),
        timeoutMs: START_MS,
        env: { REPAIR_BENCH_ACTIVATION: figures },
      });
    const starts = readFileSync(figures, 'utf8')
      .trim()
      .split('\n')
      .map((line) => activation.parse(JSON.parse(line)));
    const shown = (name: keyof (typeof starts)[number]): string =>
      `${median(starts.map((start) => start[name])).toFixed(0)} ms`;
    console.log(`the extension in VS Code ${VERSION} (median of ${STARTS} starts)`);
    console.log(`  activate()  ${shown('activate')}   (aim: at most 50 ms)`);
    console.log(
      `  with load   ${shown('loadAndActivate')}   as the caller waits: code, activate(), messages between processes`,
    );
    console.log(`  .vsix       ${(statSync(vsix).size / 1024 / 1024).toFixed(2)} MB   (aim: at most 4 MB)`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): void {
  const child = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  if (child.status !== 0)
    throw new Error(`${args[0] ?? program} ended with ${child.status}: ${child.stdout}${child.stderr}`);
}
