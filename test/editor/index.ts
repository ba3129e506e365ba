// What VS Code loads as `extensionTestsPath`: runs the bundled tests beside it. See test/host/editorSuite.ts.
import { join } from 'node:path';
import { format } from 'node:util';
import { reporters } from 'mocha';
import { glob } from '../host/files.ts';
import { runMocha } from '../host/mochaRun.ts';
import { OUTPUT_MARK } from '../host/outputMark.ts';

const TEST_MS = 60_000;

/** Runs the suite; a failing test rejects, which VS Code turns into a non-zero exit code. */
export async function run(): Promise<void> {
  const resultsFile = process.env['REPAIR_BENCH_EDITOR_RESULTS'];
  if (!resultsFile)
    throw new Error('REPAIR_BENCH_EDITOR_RESULTS is not set; start this with `npm run test:editor`.');
  process.setSourceMapsEnabled(true);
  reporters.Base.consoleLog = (...line) => console.log(OUTPUT_MARK + format(...line));
  const files = await glob(join(__dirname, 'tests'), '.test.cjs');
  const grep = process.env['REPAIR_BENCH_GREP'];
  const counts = await runMocha({ files, timeoutMs: TEST_MS, resultsFile, color: false, grep });
  if (counts.failed > 0) throw new Error(`${counts.failed} of the editor tests failed.`);
}
