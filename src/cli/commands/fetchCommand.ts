/** `repair-bench fetch`: downloads task files from a repository of the hub, and prints their paths for other commands. */
import { homedir } from 'node:os';
import { bytesText } from '../../wording/bytesText.ts';
import { checkRevision, type HubAddress, parseHubAddress } from '../../dataset/hub/hubAddress.ts';
import {
  cachedChoices,
  type FetchedDataset,
  fetchChoice,
  type FetchProgress,
  type HubListing,
  listTaskFiles,
} from '../../dataset/hub/hubDatasets.ts';
import { type HubSettings, readHubSettings } from '../../dataset/hub/hubSettings.ts';
import type { TaskChoice } from '../../dataset/hub/taskFiles.ts';
import { hasWildcard } from '../../task/dockerfile/glob.ts';
import { shellWord } from '../../wording/shellWord.ts';
import { counted } from '../../wording/counted.ts';
import { joinWords } from '../../wording/joinWords.ts';
import type { FetchArguments } from '../input/arguments.ts';
import { CliError } from '../failures/cliError.ts';
import type { Console } from '../terminal/console.ts';
import { EXIT, type ExitCode } from '../failures/exitCode.ts';
import { DOCUMENT_VERSION, type FetchDocument } from '../documents/jsonDocuments.ts';
import { padEnd, displayWidth, oneLine } from '../terminal/textLayout.ts';

const MOST_NAMED = 5;

export async function fetchCommand(
  args: FetchArguments,
  console: Console,
  signal: AbortSignal,
): Promise<ExitCode> {
  const settings = await readHubSettings(process.env, homedir());
  const address = addressOf(args, settings);
  if (!settings.offline)
    console.progress.doing(`asking ${new URL(settings.endpoint).host} for ${address.repo}`);
  const listing = await listTaskFiles(settings, address, signal);
  const chosen = args.listOnly ? [] : chooseAll(listing, address);
  const fetched: FetchedDataset[] = [];
  try {
    for (const choice of chosen)
      fetched.push(
        await fetchChoice(settings, listing, choice, signal, { onProgress: progressPrinter(console) }),
      );
  } catch (error) {
    if (signal.aborted) console.note(['The downloaded part is kept; the same command continues from there.']);
    throw error;
  }
  if (listing.from === 'cache' && !settings.offline)
    console.note([`The hub cannot be reached: this is what the cache has of ${listing.repo}.`]);
  if (console.json) console.printJson(await documentOf(settings, listing, fetched));
  else if (args.listOnly) await printList(settings, listing, console);
  else console.print(fetched.map(({ location }) => location));
  return EXIT.ok;
}

function addressOf({ address: text, revision }: FetchArguments, { endpoint }: HubSettings): HubAddress {
  const address = parseHubAddress(text, endpoint);
  if (revision === undefined) return address;
  if (address.revision !== undefined && address.revision !== revision)
    throw new CliError(
      'usage',
      `The address names revision ${address.revision}, and --revision names ${revision}.`,
      'Give one of them.',
    );
  return { ...address, revision: checkRevision(revision) };
}

/** A pattern may match several datasets; anything else must name exactly one. */
function chooseAll({ repo, choices }: HubListing, { path }: HubAddress): readonly TaskChoice[] {
  if (choices.length === 1 || (path !== undefined && hasWildcard(path))) return choices;
  const names = choices.map((choice) => oneLine(choice.path));
  throw new CliError(
    'several-files',
    `${repo}${path === undefined ? '' : `:${path}`} has ${choices.length} datasets: ${joinWords(names, { most: MOST_NAMED })}.`,
    `Name one: repair-bench fetch ${shellWord(`${repo}:${names[0] ?? ''}`)}; --list shows all.`,
  );
}

/** Prints when a download begins, and on a terminal its progress; cached files are not mentioned. */
function progressPrinter({ progress }: Console): (progress: FetchProgress) => void {
  let current = '';
  return ({ path, index, files, received, bytes }) => {
    if (path !== current) {
      current = path;
      const part = files > 1 ? `, ${index + 1} of ${files}` : '';
      const from = received > 0 ? `, continued at ${percent(received, bytes)}` : '';
      progress.doing(`downloading ${path} (${bytesText(bytes)}${part}${from})`);
    }
    progress.log(`${bytesText(received)}, ${percent(received, bytes)}`);
  };
}

function percent(received: number, bytes: number): string {
  return `${bytes === 0 ? 100 : Math.floor((received / bytes) * 100)} %`;
}

async function printList(settings: HubSettings, listing: HubListing, console: Console): Promise<void> {
  const cached = await cachedChoices(settings, listing);
  const rows = listing.choices.map((choice) => {
    const parts = choice.files.length > 1 ? `  ${choice.files.length} files` : '';
    const mark = cached.has(choice) ? '  in the cache' : '';
    return { size: bytesText(choice.bytes), name: oneLine(choice.path), after: parts + mark };
  });
  const size = Math.max(...rows.map((row) => row.size.length));
  const name = Math.max(...rows.map((row) => displayWidth(row.name)));
  console.print(
    rows.map(
      (row) =>
        `${row.size.padStart(size)}  ${row.after === '' ? row.name : padEnd(row.name, name) + row.after}`,
    ),
  );
  const count = counted(rows.length, 'dataset');
  console.note([`${count} in ${listing.repo} at ${listing.revision} (${listing.commit.slice(0, 7)}).`]);
}

async function documentOf(
  settings: HubSettings,
  listing: HubListing,
  fetched: readonly FetchedDataset[],
): Promise<FetchDocument> {
  const { repo, revision, commit, from } = listing;
  const cached = await cachedChoices(settings, listing);
  return {
    version: DOCUMENT_VERSION,
    command: 'fetch',
    repo,
    revision,
    commit,
    from,
    choices: listing.choices.map((choice) => ({
      path: choice.path,
      files: choice.files.length,
      bytes: choice.bytes,
      cached: cached.has(choice),
    })),
    fetched: fetched.map(({ location, files }) => ({ location, files: [...files] })),
  };
}
