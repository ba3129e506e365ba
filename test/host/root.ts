// Where the repository is. Tests name its files from there, so that a test that moves still finds them.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. What is bundled to run inside VS Code lies elsewhere and is told. */
export const ROOT = process.env['REPAIR_BENCH_ROOT'] ?? join(fileURLToPath(import.meta.url), '../../..');
