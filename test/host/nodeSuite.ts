// A suite that runs in plain Node, as a process of its own: `nodeSuite.ts --results FILE --timeout MS [--grep TEXT] TEST...`.
import { parseArgs } from 'node:util';
import { runMocha } from './mochaRun.ts';

// An exit, unlike a death by signal, ends the servers that tests have started.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { results: { type: 'string' }, timeout: { type: 'string' }, grep: { type: 'string' } },
});
const counts = await runMocha({
  files: positionals,
  timeoutMs: Number(values.timeout),
  resultsFile: values.results ?? '/dev/null',
  color: process.stdout.isTTY,
  grep: values.grep,
});
process.exit(counts.failed > 0 ? 1 : 0);
