/** The commands of the Tasks view. */
import { basename, dirname } from 'node:path';
import type * as vscode from 'vscode';
import { shardsOfPattern } from '../../dataset/tables/shardSet.ts';
import type { CommandHandlers, LocationArgument } from '../platform/commands/commandArguments.ts';
import { runCommand } from '../platform/commands/commandTable.ts';
import { addDataset, type DatasetContext, sampleDataset } from './datasetContext.ts';
import type { DatasetEntry, DatasetLibrary } from './datasetLibrary.ts';
import { exportGold } from './exportGold.ts';
import { openFromHub } from './openFromHub.ts';
import { plainLabel } from '../platform/text/plainText.ts';

/** Milliseconds without a key before the filter applies; a fast typist makes no such pause. */
const TYPING_MS = 120;

export function datasetCommands(context: DatasetContext) {
  const { api, library, marks } = context;
  return {
    'repairBench.openDataset': async (given) => {
      const location = locationOf(given) ?? (await askForDataset(context));
      if (location !== undefined) await addDataset(context, location);
    },
    'repairBench.openFromHub': async (repository) => openFromHub(context, repository),
    'repairBench.openSampleDataset': () => addDataset(context, sampleDataset(context)),
    'repairBench.openAsDataset': async (given) => {
      const location = locationOf(given);
      if (location !== undefined) await addDataset(context, location);
    },
    'repairBench.removeDataset': async (given) => {
      const entry = entryOf(library, given);
      if (entry) await library.remove(entry);
    },
    'repairBench.refreshDataset': async (given) => {
      const entry = entryOf(library, given);
      const entries = entry ? [entry] : library.entries;
      await api.window.withProgress({ location: { viewId: 'repairBench.tasks' } }, async () => {
        await Promise.all(entries.map((each) => library.refresh(each)));
        await marks.refresh();
      });
    },
    'repairBench.revealDataset': async (given) => {
      const entry = entryOf(library, given);
      if (!entry) return;
      // The location of a set of parts is a pattern, so the first part stands for it.
      const uri = api.Uri.file(shardsOfPattern(entry.location)?.[0] ?? entry.location);
      const inWorkspace = api.workspace.getWorkspaceFolder(uri) !== undefined;
      await api.commands.executeCommand(inWorkspace ? 'revealInExplorer' : 'revealFileInOS', uri);
    },
    'repairBench.copyPath': async (node) => {
      if (node) await api.env.clipboard.writeText('row' in node ? node.path : node.entry.location);
    },
    'repairBench.exportGoldFixes': (given) => exportGold(context, entryOf(library, given)),
    'repairBench.filterTasks': (given) => askForFilter(api, library, entryOf(library, given)),
    'repairBench.clearFilter': (given) => {
      const entry = entryOf(library, given);
      for (const each of entry ? [entry] : library.entries) library.setFilter(each, '');
    },
    'repairBench.showMoreTasks': (given) => {
      const entry = entryOf(library, given);
      if (entry) library.showMore(entry);
    },
  } satisfies Partial<CommandHandlers>;
}

function locationOf(given: LocationArgument): string | undefined {
  if (given === undefined || typeof given === 'string') return given;
  return 'entry' in given ? given.entry.location : given.fsPath;
}

function entryOf(library: DatasetLibrary, given: LocationArgument): DatasetEntry | undefined {
  return library.entry(locationOf(given) ?? '');
}

async function askForDataset(context: DatasetContext): Promise<string | undefined> {
  const { api, library } = context;
  const { l10n, QuickPickItemKind } = api;
  type Choice = vscode.QuickPickItem & { readonly choose?: () => Promise<string | undefined> };
  const recent = library.recent.map((location): Choice => ({
    label: `$(history) ${plainLabel(basename(location))}`,
    description: plainLabel(dirname(location)),
    choose: async () => location,
  }));
  const choices: Choice[] = [
    {
      label: `$(file) ${l10n.t('Choose a File…')}`,
      description: l10n.t('.parquet, .arrow, .tar.gz or .tar'),
      choose: () => chooseOnDisk(api, 'file'),
    },
    {
      label: `$(folder) ${l10n.t('Choose a Folder…')}`,
      description: l10n.t('of tasks, or of one task'),
      choose: () => chooseOnDisk(api, 'folder'),
    },
    {
      label: `$(cloud-download) ${l10n.t('From Hugging Face…')}`,
      description: l10n.t('owner/name'),
      choose: async () => {
        await runCommand(api, 'repairBench.openFromHub');
        return undefined;
      },
    },
    {
      label: `$(beaker) ${l10n.t('Sample Dataset')}`,
      description: l10n.t('small tasks of every family'),
      choose: async () => sampleDataset(context),
    },
    ...(recent.length === 0
      ? []
      : [{ label: l10n.t('recent'), kind: QuickPickItemKind.Separator }, ...recent]),
  ];
  const chosen = await api.window.showQuickPick(choices, { placeHolder: l10n.t('Open a dataset of tasks') });
  return chosen?.choose?.();
}

async function chooseOnDisk(api: typeof vscode, what: 'file' | 'folder'): Promise<string | undefined> {
  const [chosen] =
    (await api.window.showOpenDialog({
      canSelectFiles: what === 'file',
      canSelectFolders: what === 'folder',
      openLabel: api.l10n.t('Open Dataset'),
      ...(what === 'file'
        ? {
            filters: {
              [api.l10n.t('Datasets')]: ['parquet', 'arrow', 'gz', 'tgz', 'tar'],
              [api.l10n.t('All Files')]: ['*'],
            },
          }
        : {}),
    })) ?? [];
  return chosen?.fsPath;
}

/** Filters while the person types; Escape restores the filter that was there. */
async function askForFilter(
  api: typeof vscode,
  library: DatasetLibrary,
  entry: DatasetEntry | undefined,
): Promise<void> {
  const entries = entry ? [entry] : library.entries;
  const before = new Map(entries.map((each) => [each, each.filter]));
  const input = api.window.createInputBox();
  input.title = api.l10n.t('Filter Tasks');
  input.placeholder = api.l10n.t('Part of a path; empty shows all');
  input.value = entries[0]?.filter ?? '';
  let timer: NodeJS.Timeout | undefined;
  const apply = (text: string): void => {
    for (const each of entries) if (each.filter !== text) library.setFilter(each, text);
  };
  const accepted = await new Promise<boolean>((resolve) => {
    input.onDidChangeValue((text) => {
      clearTimeout(timer);
      timer = setTimeout(() => apply(text.trim()), TYPING_MS);
    });
    input.onDidAccept(() => resolve(true));
    input.onDidHide(() => resolve(false));
    input.show();
  });
  clearTimeout(timer);
  if (accepted) apply(input.value.trim());
  else for (const [each, filter] of before) if (each.filter !== filter) library.setFilter(each, filter);
  input.dispose();
}
