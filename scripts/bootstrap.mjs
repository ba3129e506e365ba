// Runs a TypeScript program of this repository from a fresh clone: installs the packages first when they are missing
// or older than the lock file. Usage: node scripts/bootstrap.mjs PROGRAM.ts [ARGUMENT...]
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [program, ...args] = process.argv.slice(2);

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `Repair Bench needs Node 20 or newer; this is Node ${process.versions.node}. Install a newer Node and run the command again.`,
  );
  process.exit(2);
}

const lock = `${root}package-lock.json`;
const installed = `${root}node_modules/.package-lock.json`;
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  console.error('Installing packages (once) …');
  const install = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0) {
    console.error(
      'The packages could not be installed: npm ci failed, see above. Check the network and run the command again.',
    );
    process.exit(2);
  }
}

if (program === undefined) process.exit(0);
const run = spawnSync(process.execPath, ['--import=tsx', program, ...args], { cwd: root, stdio: 'inherit' });
process.exit(run.status ?? 1);
