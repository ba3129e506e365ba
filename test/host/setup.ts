// `tsx test/host/setup.ts [engine] [sandbox] [browser] [editor]`: sets up what tests run on, all of it unless told, and leaves it up.
import { ensureBaseImage, ensureDebugpyImage, ensureNoBashImage } from './baseImage.ts';
import { ensureChromium } from './browser.ts';
import type { How } from './cache.ts';
import { cacheFolder } from './cacheFolder.ts';
import { ensureCodeServer, VSCODE_VERSIONS } from './codeServer.ts';
import { ensureEngine } from './engine.ts';
import { ensureSandbox } from './sandbox.ts';

type Step = readonly [title: string, ensure: () => Promise<How>];

const PARTS = {
  engine: [
    ['Docker engine', async () => (await ensureEngine()).how],
    ['base image', async () => ensureBaseImage(await ensureEngine())],
    ['image without bash', async () => ensureNoBashImage(await ensureEngine())],
    ['image with debugpy', async () => ensureDebugpyImage(await ensureEngine())],
  ],
  sandbox: [['bubblewrap and pytest', async () => (await ensureSandbox()).how]],
  browser: [['Chromium', async () => (await ensureChromium()).how]],
  editor: VSCODE_VERSIONS.map((version): Step => [
    `VS Code ${version}`,
    async () => (await ensureCodeServer(version)).how,
  ]),
} satisfies Record<string, readonly Step[]>;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`No part is called ${unknown.join(' or ')}; there are: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}

console.log(`cache: ${cacheFolder()}`);
for (const [name, steps] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const [title, ensure] of steps) await report(title, ensure);
}

async function report(title: string, ensure: () => Promise<How>): Promise<void> {
  const start = Date.now();
  try {
    const how = await ensure();
    console.log(`${title}: ${how} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    console.error(`${title}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
