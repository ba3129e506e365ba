// Bundles the tests that run inside VS Code, whose extension host loads CommonJS and knows no TypeScript.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { glob } from './files.ts';

/** Where a suite's sources are and where its bundle goes. */
export interface EditorBundle {
  /** Folder with `*.test.ts`. */
  readonly tests: string;
  /** Folder for the bundle, emptied first. It must be below one that has mocha in its `node_modules`. */
  readonly out: string;
}

const ENTRY = join(import.meta.dirname, '../editor/index.ts');

/** Bundles every test and the entry that VS Code loads; returns the entry's path, as `extensionTestsPath` wants it. */
export async function bundleEditorSuite(bundle: EditorBundle): Promise<string> {
  await rm(bundle.out, { recursive: true, force: true });
  const tests = await glob(bundle.tests, '.test.ts');
  await build({
    entryPoints: [
      ...tests.map((path) => ({ in: path, out: `tests/${flatName(bundle.tests, path)}` })),
      { in: ENTRY, out: 'index' },
    ],
    outdir: bundle.out,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha', '*.node'],
    sourcemap: 'inline',
    // `import.meta.url` would be undefined in CommonJS; the sources' place is REPAIR_BENCH_ROOT.
    define: { 'import.meta.url': '__bundleUrl' },
    banner: { js: "const __bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
  });
  return join(bundle.out, 'index.cjs');
}

function flatName(folder: string, path: string): string {
  return path.slice(folder.length + 1, -'.ts'.length).replaceAll('/', '-');
}
