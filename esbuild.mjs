// Builds the bundles: the extension, the command line, and the script of each webview. `--watch` rebuilds on change.
import { build, context } from 'esbuild';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const watch = process.argv.includes('--watch');
const outdir = fileURLToPath(new URL('dist/', import.meta.url));

/**
 * dockerode pulls in ssh2 and grpc eagerly, for endpoints we refuse (ssh://) and a builder we do not use (BuildKit).
 * Stubbing them takes 660 kB out of the bundle; native addons cannot be bundled at all.
 */
const withoutUnusedTransports = {
  name: 'without-unused-transports',
  setup(pluginBuild) {
    const unused = /^(ssh2|@grpc\/grpc-js|@grpc\/proto-loader|cpu-features)$|\.node$/;
    pluginBuild.onResolve({ filter: unused }, ({ path }) => ({ path, namespace: 'unused' }));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const common = {
  bundle: true,
  minify: !watch,
  sourcemap: watch,
  legalComments: 'none',
  logLevel: 'warning',
};

const node = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  outExtension: { '.js': '.cjs' },
  external: ['vscode'],
  plugins: [withoutUnusedTransports],
  define: { 'import.meta.url': 'undefined' },
};

const bundles = [
  { ...node, entryPoints: { extension: 'src/extension.ts' }, outdir },
  {
    ...node,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir,
    banner: { js: '#!/usr/bin/env node' },
  },
  {
    ...common,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    entryPoints: { instruction: 'src/webview/instruction.ts' },
    outdir: `${outdir}/webview`,
  },
];

if (!watch) await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
for (const wasm of ['web-tree-sitter/web-tree-sitter.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm'])
  await copyFile(
    fileURLToPath(import.meta.resolve(wasm)),
    `${outdir}/${wasm.slice(wasm.indexOf('/') + 1)}`,
  );

if (watch) {
  for (const bundle of bundles) await (await context(bundle)).watch();
  console.log('watching');
} else await Promise.all(bundles.map((bundle) => build(bundle)));
