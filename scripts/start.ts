// `npm start`: the extension with its sample dataset, in desktop VS Code if there is one, else in a browser's. Ctrl+C ends it.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from '../test/host/command.ts';
import { ROOT } from '../test/host/root.ts';
import { installVsix, startServer } from '../test/host/vscodeServer.ts';

const FOLDER = join(ROOT, 'out/start');
const HINT = 'Click the flask in the activity bar, then "Open Sample Dataset".';

console.log('Building the extension …');
run('node', ['esbuild.mjs']);
await mkdir(FOLDER, { recursive: true });
const desktop = findExecutable('code');
if (desktop) startDesktop(desktop);
else await startInBrowser();

function startDesktop(code: string): void {
  run(code, [`--extensionDevelopmentPath=${ROOT}`, FOLDER]);
  console.log(`VS Code opens ${FOLDER}. ${HINT}`);
}

async function startInBrowser(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-bench-start-'));
  const vsix = join(folder, 'repair-bench.vsix');
  console.log('Packaging it, and setting up a VS Code (once) …');
  run(
    'npx',
    ['vsce', 'package', '--no-dependencies', '--no-rewrite-relative-links'].concat(
      '--allow-missing-repository',
      '--out',
      vsix,
    ),
  );
  const place = {
    version: '1.139.1',
    userDataDir: join(folder, 'user'),
    extensionsDir: join(folder, 'extensions'),
  } as const;
  await installVsix(place, vsix);
  const server = await startServer({ ...place, trust: true });
  console.log(`VS Code ${place.version} is at ${server.origin}/?${new URLSearchParams({ folder: FOLDER })}`);
  console.log(`${HINT} Ctrl+C ends it.`);
  const end = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    process.exit(0);
  };
  process.once('SIGINT', () => void end());
  process.once('SIGTERM', () => void end());
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === 0) return;
  console.error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}.`);
  process.exit(1);
}
