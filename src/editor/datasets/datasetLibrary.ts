/** The datasets in the Tasks view: opened when first shown, remembered for this workspace, closed at the end. */
import type { Memento } from 'vscode';
import type { Dataset } from '../../dataset/dataset.ts';
import type { PathList } from '../../dataset/tables/pathList.ts';
import { ChangeEvent } from '../platform/changeEvent.ts';
import { PAGE_ROWS } from './tasksTree.ts';

const OPEN_KEY = 'datasets';
const RECENT_KEY = 'recentDatasets';
const MOST_RECENT = 10;

export type DatasetState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly dataset: Dataset; readonly paths: PathList }
  | { readonly kind: 'failed'; readonly error: unknown };

/** One dataset of the view. Its fields change; listen to the library. */
export interface DatasetEntry {
  /** Host path; unique among the entries. */
  readonly location: string;
  state: DatasetState;
  filter: string;
  /** How many rows are shown at most. */
  shown: number;
  /** Resolves when the opening under way has succeeded or failed. */
  opening: Promise<void> | undefined;
}

export type OpenDataset = (location: string) => Promise<Dataset>;

export class DatasetLibrary {
  readonly #open: OpenDataset;
  readonly #workspaceState: Memento;
  readonly #globalState: Memento;
  readonly #entries = new Map<string, DatasetEntry>();
  readonly #changed = new ChangeEvent<DatasetEntry | undefined>();
  /** Fires with the entry that changed; `undefined`: the list itself. */
  readonly onDidChange = this.#changed.on;

  constructor(open: OpenDataset, workspaceState: Memento, globalState: Memento) {
    this.#open = open;
    this.#workspaceState = workspaceState;
    this.#globalState = globalState;
    for (const location of storedPaths(workspaceState, OPEN_KEY))
      this.#entries.set(location, newEntry(location));
  }

  get entries(): readonly DatasetEntry[] {
    return [...this.#entries.values()];
  }

  /** Datasets opened lately in any window, the latest first. */
  get recent(): readonly string[] {
    return storedPaths(this.#globalState, RECENT_KEY);
  }

  entry(location: string): DatasetEntry | undefined {
    return this.#entries.get(location);
  }

  /** Adds a dataset and opens it. @throws what opening throws; the view does not keep a dataset that cannot be opened. */
  async add(location: string): Promise<DatasetEntry> {
    const known = this.#entries.get(location);
    const entry = known ?? newEntry(location);
    this.#entries.set(location, entry);
    try {
      await this.#load(entry);
    } catch (error) {
      if (!known) this.#entries.delete(location);
      throw error;
    } finally {
      // Fires once, as a row that is drawn again may lose the click of a quick person.
      this.#changed.fire(undefined);
    }
    await this.#remember(location);
    return entry;
  }

  /** Opens an entry that is not open yet. Never throws: a failure is the entry's state. */
  async ensureOpen(entry: DatasetEntry): Promise<void> {
    if (entry.state.kind === 'closed') {
      await this.#load(entry).catch(() => undefined);
      this.#changed.fire(entry);
    } else await entry.opening;
  }

  /** The dataset at `location`, opened if need be. @throws what opening throws */
  async opened(location: string): Promise<Extract<DatasetState, { kind: 'open' }>> {
    const entry = this.#entries.get(location) ?? (await this.add(location));
    await this.ensureOpen(entry);
    const { state } = entry;
    if (state.kind === 'open') return state;
    throw state.kind === 'failed' ? state.error : new Error(`${location} is not open.`);
  }

  /** Closes and opens again, for a file that has changed. */
  async refresh(entry: DatasetEntry): Promise<void> {
    await this.#close(entry);
    await this.#load(entry).catch(() => undefined);
    this.#changed.fire(entry);
  }

  async remove(entry: DatasetEntry): Promise<void> {
    this.#entries.delete(entry.location);
    await this.#close(entry);
    await this.#workspaceState.update(OPEN_KEY, [...this.#entries.keys()]);
    this.#changed.fire(undefined);
  }

  setFilter(entry: DatasetEntry, filter: string): void {
    entry.filter = filter;
    entry.shown = PAGE_ROWS;
    this.#changed.fire(entry);
  }

  showMore(entry: DatasetEntry): void {
    entry.shown += PAGE_ROWS;
    this.#changed.fire(entry);
  }

  dispose(): void {
    for (const entry of this.#entries.values()) void this.#close(entry);
    this.#entries.clear();
    this.#changed.dispose();
  }

  async #load(entry: DatasetEntry): Promise<void> {
    if (entry.opening) await entry.opening;
    if (entry.state.kind === 'open') return;
    const loading = this.#loadNow(entry);
    entry.opening = loading.then(
      () => undefined,
      () => undefined,
    );
    try {
      await loading;
    } finally {
      entry.opening = undefined;
    }
  }

  async #loadNow(entry: DatasetEntry): Promise<void> {
    entry.state = { kind: 'opening' };
    let dataset: Dataset | undefined;
    try {
      dataset = await this.#open(entry.location);
      const paths = await dataset.paths();
      entry.state = { kind: 'open', dataset, paths };
    } catch (error) {
      entry.state = { kind: 'failed', error };
      await dataset?.close();
      throw error;
    }
    // It was removed while it was being opened, so nobody else closes it.
    if (this.#entries.get(entry.location) !== entry) await this.#close(entry);
  }

  async #close(entry: DatasetEntry): Promise<void> {
    const { state } = entry;
    entry.state = { kind: 'closed' };
    if (state.kind === 'open') await state.dataset.close().catch(() => undefined);
  }

  async #remember(location: string): Promise<void> {
    await this.#workspaceState.update(OPEN_KEY, [...this.#entries.keys()]);
    const recent = [location, ...this.recent.filter((other) => other !== location)];
    await this.#globalState.update(RECENT_KEY, recent.slice(0, MOST_RECENT));
  }
}

function newEntry(location: string): DatasetEntry {
  return { location, state: { kind: 'closed' }, filter: '', shown: PAGE_ROWS, opening: undefined };
}

/** Parses stored state: an older version may have written it. */
function storedPaths(memento: Memento, key: string): string[] {
  const stored = memento.get<unknown>(key);
  return Array.isArray(stored) ? stored.filter((path): path is string => typeof path === 'string') : [];
}
