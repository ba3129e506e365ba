/** Datasets of the hub, for editor and command line: lists the task files of a repository and downloads one. */
import { joinWords } from '../../wording/joinWords.ts';
import { fileNotFound, type Wanted } from './answerErrors.ts';
import { downloadBlob, PATIENCE, type Patience } from './downloadFile.ts';
import { diskError } from './diskErrors.ts';
import { encodedPath, type HubAddress } from './hubAddress.ts';
import {
  blobFolder,
  cachedBlob,
  cachedCommit,
  cachedFile,
  cachedFiles,
  linkBlob,
  noteCommit,
  type RepoCache,
  repoCache,
  snapshotPath,
} from './hubCache.ts';
import { commitOf, filesOf } from './hubClient.ts';
import { HubError } from './hubError.ts';
import type { HubSettings } from './hubSettings.ts';
import { type HubFile, isTaskFile, TASK_FILE_ENDINGS, type TaskChoice, taskChoices } from './taskFiles.ts';

export interface HubListing {
  readonly repo: string;
  readonly revision: string;
  /** The commit of the revision: 40 hex digits. */
  readonly commit: string;
  /** Sorted by path; never empty. */
  readonly choices: readonly TaskChoice[];
  /** `cache`: the hub was not asked, or could not be; only what is on this machine is listed. */
  readonly from: 'hub' | 'cache';
}

export interface FetchedFile {
  readonly path: string;
  readonly hostPath: string;
  readonly bytes: number;
  /** Whether it was there already. */
  readonly cached: boolean;
}

export interface FetchedDataset {
  /** What `openDataset` opens: a file, or the name of a set of parts. */
  readonly location: string;
  readonly files: readonly FetchedFile[];
}

export interface FetchProgress {
  readonly path: string;
  /** From 0 on, of `files`. */
  readonly index: number;
  readonly files: number;
  /** Bytes of this file that are there, of `bytes`. */
  readonly received: number;
  readonly bytes: number;
}

export interface FetchOptions {
  readonly onProgress?: (progress: FetchProgress) => void;
  readonly patience?: Patience;
}

const MAIN = 'main';

/**
 * The task files that an address names, grouped into datasets. Without a network, those that the cache has.
 * @throws HubError, also when there is none; or the reason of `signal`
 */
export async function listTaskFiles(
  settings: HubSettings,
  { repo, revision = MAIN, path }: HubAddress,
  signal: AbortSignal,
): Promise<HubListing> {
  const wanted: Wanted = { repo, revision, path };
  if (settings.offline) {
    const cached = await listCached(settings, wanted);
    if (cached) return cached;
    throw new HubError(
      'offline',
      `${nameOf(wanted)} is not in the cache ${settings.cache}, and HF_HUB_OFFLINE forbids to ask the hub.`,
      'Unset HF_HUB_OFFLINE, or set HF_HUB_CACHE to the folder that has it.',
    );
  }
  try {
    const commit = await commitOf(settings, wanted, signal);
    const files = await filesOf(settings, wanted, commit, signal);
    const choices = taskChoices(files, path);
    if (choices.length === 0) throw noTaskFiles(wanted, files);
    return { repo, revision, commit, choices, from: 'hub' };
  } catch (error) {
    const cached =
      error instanceof HubError && error.code === 'unreachable'
        ? await listCached(settings, wanted)
        : undefined;
    if (cached) return cached;
    throw error;
  }
}

/**
 * Brings all files of a choice to this machine. What the cache has is not downloaded again.
 * @throws HubError, or the reason of `signal`
 */
export async function fetchChoice(
  settings: HubSettings,
  listing: HubListing,
  choice: TaskChoice,
  signal: AbortSignal,
  { onProgress, patience = PATIENCE }: FetchOptions = {},
): Promise<FetchedDataset> {
  const cache = repoCache(settings, listing.repo);
  const files: FetchedFile[] = [];
  for (const [index, file] of choice.files.entries()) {
    signal.throwIfAborted();
    const onBytes = (received: number): void =>
      onProgress?.({ path: file.path, index, files: choice.files.length, received, bytes: file.bytes });
    files.push(await fetchFile(settings, cache, listing, file, { patience, onBytes }, signal));
  }
  // What the cache says may be older than what another client has noted since.
  if (listing.from === 'hub') await noteCommit(cache, listing.revision, listing.commit);
  return { location: snapshotPath(cache, listing.commit, choice.path), files };
}

/** The choices that can be opened without a download. */
export async function cachedChoices(
  settings: HubSettings,
  { repo, commit, choices }: HubListing,
): Promise<ReadonlySet<TaskChoice>> {
  const cached = await cachedFiles(repoCache(settings, repo), commit);
  const sizes = new Map(cached.map(({ path, bytes }) => [path, bytes]));
  return new Set(choices.filter(({ files }) => files.every(({ path, bytes }) => sizes.get(path) === bytes)));
}

interface FetchFileOptions {
  readonly patience: Patience;
  readonly onBytes: (bytes: number) => void;
}

async function fetchFile(
  settings: HubSettings,
  cache: RepoCache,
  { repo, revision, commit }: HubListing,
  { path, bytes, at }: HubFile,
  options: FetchFileOptions,
  signal: AbortSignal,
): Promise<FetchedFile> {
  if (at.kind === 'cache') return { path, hostPath: at.hostPath, bytes, cached: true };
  const there = await cachedFile(cache, commit, { path, bytes });
  if (there !== undefined) return { path, hostPath: there, bytes, cached: true };
  const known = await cachedBlob(cache, at.hash.hex, bytes);
  const download = {
    settings,
    url: `${settings.endpoint}/datasets/${repo}/resolve/${commit}/${encodedPath(path)}`,
    wanted: { repo, revision, path },
    bytes,
    hash: at.hash,
    folder: blobFolder(cache),
    ...options,
  };
  const blob = known ?? (await downloadBlob(download, signal));
  try {
    const hostPath = await linkBlob(cache, commit, path, blob);
    return { path, hostPath, bytes, cached: known !== undefined };
  } catch (error) {
    throw diskError(error, cache.folder);
  }
}

/** What the cache knows of an address; undefined when it has none of its task files. */
async function listCached(
  settings: HubSettings,
  { repo, revision, path }: Wanted,
): Promise<HubListing | undefined> {
  const cache = repoCache(settings, repo);
  const commit = await cachedCommit(cache, revision);
  if (commit === undefined) return undefined;
  const choices = taskChoices(await cachedFiles(cache, commit), path);
  return choices.length === 0 ? undefined : { repo, revision, commit, choices, from: 'cache' };
}

function noTaskFiles(wanted: Wanted, files: readonly HubFile[]): HubError {
  const [file] = files;
  if (file !== undefined && !isTaskFile(file.path))
    return new HubError(
      'no-task-files',
      `${file.path} of ${wanted.repo} is not a file of tasks.`,
      `Name one that ends with ${joinWords(TASK_FILE_ENDINGS, { last: 'or' })}, or give "${wanted.repo}" alone to see what it has.`,
    );
  if (wanted.path !== undefined) return fileNotFound(wanted);
  return new HubError(
    'no-task-files',
    `${wanted.repo} has no task files at revision ${wanted.revision}: none ends with ${joinWords(TASK_FILE_ENDINGS, { last: 'or' })}.`,
    'Check the name; another revision may have some.',
  );
}

function nameOf({ repo, path, revision }: Wanted): string {
  return `${repo}${revision === MAIN ? '' : `@${revision}`}${path === undefined ? '' : `:${path}`}`;
}
