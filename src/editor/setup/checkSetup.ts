/** "Check My Set-up": the doctor's findings as a list; choosing an entry does what mends it. */
import type * as vscode from 'vscode';
import type { Finding } from '../../doctor/finding.ts';
import type { Remedy } from '../../fault/remedy.ts';
import { faultOf } from '../../fault/repairBenchError.ts';
import type { DatasetLibrary } from '../datasets/datasetLibrary.ts';
import { messageOf } from '../platform/failureMessage.ts';
import { sampleDataset } from '../datasets/datasetContext.ts';
import { rootOfWorkspaces } from '../datasets/openRow.ts';
import { openSetting, remedyWords } from '../platform/remedyWords.ts';
import type { RunContext } from '../run/runContext.ts';
import { isSandbox, type SetupChoice, setupChoices, setupSummary } from './setupChoices.ts';
import type { Translate } from '../../wording/translate.ts';

/** The first version of VS Code that will do: `engines.vscode` of package.json. */
export const LEAST_VSCODE = '1.100.0';

/** Shows the list at once and fills it in; the whole report goes to the log. */
export async function checkSetup(context: RunContext, library: DatasetLibrary): Promise<void> {
  const { api, log } = context;
  const { l10n, window } = api;
  const pick = window.createQuickPick<SetupChoice>();
  const showLog = { iconPath: new api.ThemeIcon('output'), tooltip: l10n.t('Show Log') };
  pick.title = l10n.t('Check My Set-up');
  pick.buttons = [showLog];
  pick.matchOnDetail = true;
  const stopping = new AbortController();
  let chosen: Remedy | undefined;
  const check = async (): Promise<void> => {
    pick.busy = true;
    pick.placeholder = l10n.t('Looking at engine, images, sandbox, Python and disk…');
    pick.items = [];
    try {
      const findings = await findingsNow(context, library, stopping.signal);
      if (stopping.signal.aborted) return;
      report(log, findings, l10n.t);
      pick.placeholder = setupSummary(findings, l10n.t);
      pick.items = [
        ...setupChoices(findings, l10n.t),
        { label: `$(refresh) ${l10n.t('Check Again')}`, again: true },
      ];
    } finally {
      pick.busy = false;
    }
  };
  const hidden = new Promise<void>((resolve) => {
    pick.onDidHide(resolve);
    pick.onDidTriggerButton(() => log.show(true));
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item?.again) void check().catch(failed);
      chosen = item?.remedy;
      if (chosen) pick.hide();
    });
  });
  const failed = (error: unknown): void => {
    if (stopping.signal.aborted) return;
    pick.placeholder = messageOf(error, l10n.t);
    pick.items = [{ label: `$(refresh) ${l10n.t('Check Again')}`, again: true }];
  };
  pick.show();
  const checked = check().catch(failed);
  await hidden;
  stopping.abort();
  await checked;
  pick.dispose();
  if (chosen) await apply(context, chosen);
}

/** The doctor's findings for this window's settings and the first dataset that is open in it. */
async function findingsNow(
  context: RunContext,
  library: DatasetLibrary,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { api, runtimes } = context;
  const settings = context.settings.current;
  const doctor = await import('../../doctor/checkSetup.ts');
  return doctor.checkSetup(
    {
      runtime: runtimes.wish(settings, settings.runtime),
      images: await askedImages(library, sampleDataset(context), signal),
      workspaces: rootOfWorkspaces(context),
      programs: [{ name: 'VS Code', version: api.version, least: LEAST_VSCODE }],
    },
    signal,
  );
}

/** Applies a remedy where that is possible here. A command line is typed into a terminal; the person starts it. */
async function apply({ api, settings }: RunContext, remedy: Remedy): Promise<void> {
  switch (remedy.kind) {
    case 'command': {
      const terminal = api.window.createTerminal({ name: api.l10n.t('Repair Bench Set-up') });
      terminal.show();
      terminal.sendText(remedy.line, false);
      return;
    }
    case 'setting':
      if (isSandbox(remedy)) await settings.setRuntime('sandbox');
      else await openSetting(api, remedy.name);
      return;
    case 'choice':
    case 'words':
      return;
  }
}

async function askedImages(library: DatasetLibrary, sample: string, signal: AbortSignal) {
  const { readRequestedImages: imagesAskedBy } = await import('../../doctor/requestedImages.ts');
  const [location = sample] = library.entries.map((entry) => entry.location);
  try {
    if (library.entries.length > 0)
      return await imagesAskedBy((await library.opened(location)).dataset, undefined, signal);
    const { withDataset } = await import('../../dataset/withDataset.ts');
    return await withDataset(location, signal, (dataset) => imagesAskedBy(dataset, undefined, signal));
  } catch (error) {
    signal.throwIfAborted();
    return { problem: faultOf(error) };
  }
}

function report(log: vscode.LogOutputChannel, findings: readonly Finding[], t: Translate): void {
  for (const { title, state, message, details, remedies } of findings) {
    const fixes = remedies.map((remedy) => `Fix: ${remedyWords([remedy], t)}`);
    const lines = [`${title}: ${state}. ${message}`, ...details, ...fixes];
    if (state === 'needs-care') log.warn(lines.join('\n'));
    else log.info(lines.join('\n'));
  }
}
