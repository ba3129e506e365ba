/** Bundles a measurement beside node_modules, so that parquet-wasm is found; tsx would count towards the memory. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));

/** Host path of the bundle of `bench/<name>.ts`. */
export async function bundleForBench(name: string): Promise<string> {
  const outfile = join(HERE, '..', 'node_modules', '.cache', 'repair-bench', `${name}.mjs`);
  await build({
    entryPoints: [join(HERE, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['parquet-wasm'],
    logLevel: 'error',
  });
  return outfile;
}
