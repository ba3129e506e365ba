// Installs code-server, the Node-hosted VS Code, from the npm registry alone.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ensureCached, type How } from './cache.ts';
import { runCommand } from './command.ts';
import { ensurePackages, unpackPackage } from './packages.ts';

/** The oldest VS Code that the extension supports, and the newest that is tested. */
export type VscodeVersion = '1.100.3' | '1.139.1';

/** Every tested version, oldest first. */
export const VSCODE_VERSIONS: readonly VscodeVersion[] = ['1.100.3', '1.139.1'];

/** An installed code-server and the Node it runs on. */
export interface CodeServer {
  readonly version: VscodeVersion;
  readonly node: string;
  readonly entry: string;
  readonly how: How;
}

interface Recipe {
  readonly codeServer: string;
  readonly node: string;
  /** Native modules to compile, by the folder that they belong to; all others are never loaded. */
  readonly native: Readonly<Record<string, readonly string[]>>;
  /** Where `rg` belongs, in releases whose install script would download it. */
  readonly ripgrep?: string;
}

// The version of Node is the one that each release of code-server demands in its package.json.
const RECIPES: Readonly<Record<VscodeVersion, Recipe>> = {
  '1.100.3': {
    codeServer: '4.100.3',
    node: '20.19.5',
    native: {
      '.': ['argon2'],
      'lib/vscode': ['@vscode/spdlog', 'native-watchdog', 'node-pty'],
    },
    ripgrep: 'lib/vscode/node_modules/@vscode/ripgrep/bin',
  },
  '1.139.1': {
    codeServer: '4.139.1',
    node: '24.22.3',
    native: { '.': [], 'lib/vscode': ['@vscode/spdlog', '@vscode/native-watchdog'] },
  },
};

const ADVICE = 'check that the npm registry answers, then run this again; finished parts are kept.';

/** Gives code-server of a VS Code version, installed once into the cache folder. */
export async function ensureCodeServer(version: VscodeVersion): Promise<CodeServer> {
  const recipe = RECIPES[version];
  const node = await ensureNode(recipe.node);
  const { folder, how } = await ensureCached(`code-server/${recipe.codeServer}`, async (target) => {
    await ensurePackages('g++', 'make', 'python3');
    await unpackNpmPackage(`code-server@${recipe.codeServer}`, target);
    for (const [part, native] of Object.entries(recipe.native)) {
      await installDependencies(join(target, part), node, native);
    }
    if (recipe.ripgrep) await placeRipgrep(join(target, recipe.ripgrep));
  });
  return { version, node: join(node, 'bin/node'), entry: join(folder, 'out/node/entry.js'), how };
}

/** A Node of another version with its headers; the npm package of a platform holds both. */
async function ensureNode(version: string): Promise<string> {
  const { folder } = await ensureCached(`node/${version}`, (target) =>
    unpackNpmPackage(`node-linux-${process.arch}@${version}`, target),
  );
  return folder;
}

async function unpackNpmPackage(spec: string, folder: string): Promise<void> {
  const packed = join(folder, '.packed');
  await mkdir(packed);
  await runCommand({
    command: 'npm',
    args: ['pack', '--silent', '--pack-destination', packed, spec],
    cwd: folder,
    advice: ADVICE,
  });
  await runCommand({
    command: 'sh',
    args: ['-c', 'tar -xzf .packed/*.tgz --strip-components=1 --no-same-owner'],
    cwd: folder,
    advice: 'check the free space of the disk, then run this again.',
  });
  await rm(packed, { recursive: true });
}

async function installDependencies(folder: string, node: string, native: readonly string[]): Promise<void> {
  const env = {
    PATH: [join(node, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
    npm_config_nodedir: node,
    // This script is often started by npm, whose settings for our own package must not leak in.
    npm_config_omit: 'dev',
    npm_config_ignore_scripts: '',
  };
  await runCommand({
    command: 'npm',
    args: ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'],
    cwd: folder,
    env,
    advice: ADVICE,
  });
  for (const name of native) await compile(folder, name, env);
}

/** Searching and `findFiles` need it. */
async function placeRipgrep(folder: string): Promise<void> {
  const unpacked = join(folder, '.unpacked');
  await mkdir(unpacked, { recursive: true });
  await unpackPackage('ripgrep', unpacked);
  await rename(join(unpacked, 'usr/bin/rg'), join(folder, 'rg'));
  await rm(unpacked, { recursive: true });
}

async function compile(folder: string, name: string, env: Readonly<Record<string, string>>): Promise<void> {
  const building = runCommand({
    command: 'npm',
    args: ['rebuild', '--ignore-scripts=false', '--foreground-scripts', name],
    cwd: folder,
    env,
    advice: 'it needs g++, make and python3.',
  });
  // node-pty's last script wants to download; by then what we need has been built.
  const pty = join(folder, 'node_modules/node-pty/build/Release/pty.node');
  await building.catch((error: unknown) => {
    if (name !== 'node-pty' || !existsSync(pty)) throw error;
  });
}
