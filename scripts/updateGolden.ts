// Rewrites every golden file of the unit suite: `npm run test:update`. Read the difference before you commit it.
import { spawnSync } from 'node:child_process';

const run = spawnSync(process.execPath, ['--import=tsx', 'test/run.ts', 'unit'], {
  stdio: 'inherit',
  env: { ...process.env, UPDATE_GOLDEN: '1' },
});
process.exit(run.status ?? 1);
