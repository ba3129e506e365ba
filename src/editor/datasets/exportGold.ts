/** "Export Gold Fixes…": the gold fixes of all workspaces that are of rows of one dataset, in a new dataset. */
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import type { ExportedGoldFixes, ExportProgress } from '../../gold/export/exportGoldFixes.ts';
import { cancellable, type Report } from '../platform/cancellable.ts';
import { addDataset, type DatasetContext, sampleDataset } from './datasetContext.ts';
import type { DatasetEntry, DatasetLibrary } from './datasetLibrary.ts';
import { plainLabel, plainNotification } from '../platform/text/plainText.ts';
import { rootOfWorkspaces } from './openRow.ts';

/** Asks for the dataset, if none is given, and for the target. @throws GoldError or DatasetError, and leaves nothing behind */
export async function exportGold(context: DatasetContext, given?: DatasetEntry): Promise<void> {
  const { api, failures, library } = context;
  const entry = given ?? (await chooseDataset(api, library));
  if (entry === undefined) return;
  const target = await askForTarget(
    api,
    entry.location,
    // The sample lies in the extension's own folder, which an update replaces.
    entry.location === sampleDataset(context) ? personsFolder(api) : dirname(entry.location),
  );
  if (target === undefined) return;
  const exported = await cancellable(api, api.l10n.t('Exporting gold fixes'), (signal, report) =>
    write(context, { location: entry.location, target }, signal, report),
  );
  if (exported) void tell(context, exported).catch(failures.report);
}

async function write(
  context: DatasetContext,
  { location, target }: { readonly location: string; readonly target: string },
  signal: AbortSignal,
  report: Report,
): Promise<ExportedGoldFixes> {
  const { withDataset } = await import('../../dataset/withDataset.ts');
  const { exportGoldFixes } = await import('../../gold/export/exportGoldFixes.ts');
  return withDataset(location, signal, (dataset) =>
    exportGoldFixes(dataset, [rootOfWorkspaces(context)], target, {
      // The folder holds workspaces of other datasets too, and the dialog has asked whether to replace the file.
      skipUnmatched: true,
      force: true,
      signal,
      onProgress: (progress) => report.report({ message: words(context.api, progress) }),
    }),
  );
}

function words({ l10n }: typeof vscode, { phase, done, total }: ExportProgress): string {
  return phase === 'rows'
    ? l10n.t('{0} of {1} rows written', done, total)
    : l10n.t('{0} of {1} gold fixes read', done, total);
}

async function tell(context: DatasetContext, exported: ExportedGoldFixes): Promise<void> {
  const { api } = context;
  const { l10n } = api;
  const { location, rows, replaced, skipped } = exported;
  const written = l10n.t(
    '{0} was written: {1} rows, {2} with a gold fix, {3} untouched.',
    basename(location),
    rows,
    replaced,
    rows - replaced,
  );
  const others =
    skipped.length === 1
      ? l10n.t('1 gold fix of another dataset was left out.')
      : l10n.t('{0} gold fixes of other datasets were left out.', skipped.length);
  const message = plainNotification(skipped.length === 0 ? written : `${written} ${others}`);
  const [open, reveal] = [l10n.t('Open Dataset'), l10n.t('Reveal')];
  const chosen = await api.window.showInformationMessage(message, open, reveal);
  if (chosen === open) await addDataset(context, location);
  if (chosen === reveal) await api.commands.executeCommand('revealFileInOS', api.Uri.file(location));
}

async function chooseDataset(api: typeof vscode, library: DatasetLibrary): Promise<DatasetEntry | undefined> {
  const [only, ...others] = library.entries;
  if (only !== undefined && others.length === 0) return only;
  const choices = library.entries.map((entry) => ({
    label: plainLabel(basename(entry.location)),
    description: plainLabel(dirname(entry.location)),
    entry,
  }));
  const placeHolder = api.l10n.t('The dataset whose tasks were solved');
  return (await api.window.showQuickPick(choices, { placeHolder }))?.entry;
}

function personsFolder(api: typeof vscode): string {
  return api.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir();
}

async function askForTarget(
  api: typeof vscode,
  location: string,
  folder: string,
): Promise<string | undefined> {
  const { l10n } = api;
  const name = basename(location).replace(/\.(parquet|arrow|tar\.gz|tgz|tar)$/i, '');
  const chosen = await api.window.showSaveDialog({
    title: l10n.t('Export Gold Fixes'),
    saveLabel: l10n.t('Export'),
    defaultUri: api.Uri.file(join(folder, `${name}-gold.parquet`)),
    filters: { Parquet: ['parquet'], Arrow: ['arrow'], [l10n.t('Task Folders, Packed')]: ['tar.gz'] },
  });
  return chosen?.fsPath;
}
