/** `repair-bench doctor`: checks the set-up and says how to mend it. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withDataset } from '../../dataset/withDataset.ts';
import { readRequestedImages } from '../../doctor/requestedImages.ts';
import { checkSetup } from '../../doctor/checkSetup.ts';
import { allFine, type Finding } from '../../doctor/finding.ts';
import type { RequestedImages } from '../../doctor/setupFacts.ts';
import type { DoctorArguments } from '../input/arguments.ts';
import type { Console } from '../terminal/console.ts';
import { EXIT, type ExitCode } from '../failures/exitCode.ts';
import { chooseRow } from '../find/findTask.ts';
import { DOCUMENT_VERSION, type DoctorDocument } from '../documents/jsonDocuments.ts';
import { remedyAndLine } from '../failures/remedyWords.ts';
import { renderFindings } from '../render/renderFindings.ts';
import { runtimeRequestOf } from '../find/runtimeFor.ts';
import { LEAST_NODE } from '../input/version.ts';

export async function doctorCommand(
  args: DoctorArguments,
  console: Console,
  signal: AbortSignal,
): Promise<ExitCode> {
  const location = args.dataset ?? sampleDataset();
  const asked = location === undefined ? undefined : await imagesOf(location, args.row, signal);
  console.progress.phase('runtime');
  const findings = await checkSetup(
    {
      runtime: runtimeRequestOf(args),
      images: asked,
      workspaces: resolve(args.into),
      programs: [{ name: 'Node', version: process.versions.node, least: LEAST_NODE }],
    },
    signal,
  );
  console.progress.stop();
  if (console.json) console.printJson(documentOf(findings));
  else console.print(renderFindings(findings, console.style));
  return allFine(findings) ? EXIT.ok : EXIT.needsCare;
}

async function imagesOf(
  location: string,
  row: string | undefined,
  signal: AbortSignal,
): Promise<RequestedImages> {
  return withDataset(location, signal, async (dataset) => {
    const index = row === undefined ? undefined : chooseRow(await dataset.paths(signal), row, location);
    return readRequestedImages(dataset, index, signal);
  });
}

/** The dataset that ships beside the bundle; when run from its sources, the repository's. */
function sampleDataset(): string | undefined {
  const folder = dirname(fileURLToPath(import.meta.url));
  return ['..', '../..']
    .map((up) => join(folder, up, 'media/samples/tasks.parquet'))
    .find((path) => existsSync(path));
}

function documentOf(findings: readonly Finding[]): DoctorDocument {
  return {
    version: DOCUMENT_VERSION,
    command: 'doctor',
    fine: allFine(findings),
    checks: findings.map(({ check, state, message, details, remedies }) => ({
      check,
      state,
      message,
      details: [...details],
      fixes: remedies.map((remedy) => remedyAndLine(remedy, 'doctor')),
    })),
  };
}
