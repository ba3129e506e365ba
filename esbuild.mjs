// Builds the bundles: the extension, the command line, and the script of each webview. `--watch` rebuilds on change.
import { build, context } from 'esbuild';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const watch = process.argv.includes('--watch');
const root = fileURLToPath(new URL('.', import.meta.url));
const outdir = `${root}dist`;
const EDITOR = 'src/editor';
const DYNAMIC_IMPORT = /\bimport\(\s*'(\.[^']+)'\s*\)/g;

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

/** The path that `specifier` means in `file`; both from the repository's root, with `/`. */
const targetOf = (file, specifier) => posix.join(posix.dirname(file), specifier);

/** What src/editor imports dynamically. */
async function loadedLater() {
  const targets = new Set();
  for (const entry of await readdir(root + EDITOR, { recursive: true })) {
    if (!entry.endsWith('.ts')) continue;
    const file = posix.join(EDITOR, entry.replaceAll('\\', '/'));
    for (const [, specifier] of (await readFile(root + file, 'utf8')).matchAll(DYNAMIC_IMPORT))
      targets.add(targetOf(file, specifier));
  }
  return [...targets].sort();
}

/**
 * Node compiles a file as a whole before it runs any of it, so one bundle would make activation wait for parsers and
 * engine clients that only the first run needs. What src/editor imports dynamically is a bundle of its own, which is
 * compiled when the first of these imports happens. It is one bundle, so that no class exists twice.
 */
const secondBundle = {
  name: 'second-bundle',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /[\\/]src[\\/]editor[\\/].+\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const file = relative(root, path).replaceAll('\\', '/');
      const contents = source.replace(
        DYNAMIC_IMPORT,
        (_, specifier) => `__later(${JSON.stringify(targetOf(file, specifier))})`,
      );
      return { contents, loader: 'ts' };
    });
  },
};
// CommonJS has no `import.meta`; the bash parser asks for it.
const BUNDLE_URL = `const __bundleUrl = require('node:url').pathToFileURL(__filename).href;`;
const LATER = `const __later = async (name) => require('./services.cjs')[name]();`;
const services = (await loadedLater()).map(
  (target) => `${JSON.stringify(target)}: () => import('./${target}'),`,
);

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
  define: { 'import.meta.url': '__bundleUrl' },
  banner: { js: BUNDLE_URL },
};

const bundles = [
  {
    ...node,
    entryPoints: { extension: 'src/extension.ts' },
    outdir,
    plugins: [...node.plugins, secondBundle],
    banner: { js: `${BUNDLE_URL}\n${LATER}` },
  },
  {
    ...node,
    stdin: { contents: `module.exports = {\n${services.join('\n')}\n};`, resolveDir: root, loader: 'js' },
    outfile: `${outdir}/services.cjs`,
    outExtension: {},
  },
  {
    ...node,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir,
    banner: { js: `#!/usr/bin/env node\n${BUNDLE_URL}` },
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
  await copyFile(fileURLToPath(import.meta.resolve(wasm)), `${outdir}/${wasm.slice(wasm.indexOf('/') + 1)}`);

if (watch) {
  for (const bundle of bundles) await (await context(bundle)).watch();
  console.log('watching');
} else await Promise.all(bundles.map((bundle) => build(bundle)));
