// What the tests of the hub share: a hub with one repository, a cache of its own, and fetching in one call.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  fetchChoice,
  type FetchedDataset,
  type FetchOptions,
  listTaskFiles,
} from '../../../../src/dataset/hub/hubDatasets.ts';
import { parseHubAddress } from '../../../../src/dataset/hub/hubAddress.ts';
import { HubError } from '../../../../src/dataset/hub/hubError.ts';
import { type HubSettings, readHubSettings } from '../../../../src/dataset/hub/hubSettings.ts';
import { type HubRepo, type HubServer, startHub } from '../../../host/hubServer.ts';
import { remedyText } from '../../../host/remedyText.ts';

/** Not compressible and long enough to arrive in several parts. */
export const BIG = randomBytes(700_000);
export const REPO = 'lab/tasks';

export interface HubUnderTest {
  readonly hub: HubServer;
  readonly cache: string;
  /** As the environment would give them. */
  settings(env?: Readonly<Record<string, string>>): Promise<HubSettings>;
  stop(): Promise<void>;
}

export async function hubUnderTest(
  repos: Readonly<Record<string, HubRepo>> = { [REPO]: { revisions: { main: { 'big.parquet': BIG } } } },
): Promise<HubUnderTest> {
  const hub = await startHub(repos);
  const home = await mkdtemp(join(tmpdir(), 'repair-bench-hub-'));
  return {
    hub,
    cache: join(home, '.cache/huggingface/hub'),
    settings: (env = {}) => readHubSettings({ HF_ENDPOINT: hub.endpoint, ...env }, home),
    stop: async () => {
      await hub.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Fetches the only dataset that an address names. */
export async function fetchOne(
  settings: HubSettings,
  address: string,
  options: FetchOptions & { readonly signal?: AbortSignal } = {},
): Promise<FetchedDataset> {
  const signal = options.signal ?? new AbortController().signal;
  const listing = await listTaskFiles(settings, parseHubAddress(address, settings.endpoint), signal);
  const [choice] = listing.choices;
  if (!choice || listing.choices.length > 1) throw new Error(`${listing.choices.length} choices`);
  return fetchChoice(settings, listing, choice, signal, {
    patience: { stallMs: 20_000, retryMs: 1 },
    ...options,
  });
}

/** The error that `work` ends with, as `code: message remedies`. */
export async function hubErrorOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof HubError) return `${error.code}: ${error.message} ${remedyText(error.remedies)}`;
    throw error;
  }
  throw new Error('Nothing went wrong.');
}
