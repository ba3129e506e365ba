// `npm run bench [dataset] [verify] [extension]`: measures, side by side and in one run, and prints ratios.
import { benchDataset } from './dataset.ts';
import { benchExtension } from './extension.ts';
import { benchVerify } from './verify.ts';

const BENCHMARKS: Readonly<Record<string, () => Promise<void>>> = {
  dataset: benchDataset,
  verify: benchVerify,
  extension: benchExtension,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(
    `No benchmark is called ${unknown.join(' or ')}; there are: ${Object.keys(BENCHMARKS).join(', ')}.`,
  );
  process.exit(2);
}
for (const [name, measure] of Object.entries(BENCHMARKS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  await measure();
  console.log('');
}
process.exit(0);
