/** How far the work on each row got: read from the folder of workspaces, kept up to date by open tasks. */
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ChangeEvent } from '../platform/changeEvent.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import { markOf, type RowMark } from './taskMark.ts';

/** Workspaces read at once; each is read whole, with its task. */
const AT_ONCE = 4;

/** A row whose mark changed, by the name of its dataset's file. */
export interface MarkedRow {
  readonly dataset: string;
  readonly row: number;
}

export class RowMarks {
  readonly #root: () => string;
  readonly #tasks: OpenTasks;
  readonly #store = new DisposableStore();
  readonly #changed = new ChangeEvent<MarkedRow | undefined>();
  /** Fires with the row; `undefined`: any of them. */
  readonly onDidChange = this.#changed.on;
  readonly #marks = new Map<string, RowMark>();
  /** The workspace that gave a row its mark. */
  readonly #drawn = new Map<string, string>();
  #ready: Promise<void> | undefined;

  /** `root` is the folder that holds the workspaces. */
  constructor(root: () => string, tasks: OpenTasks) {
    this.#root = root;
    this.#tasks = tasks;
    this.#store.add(tasks.onDidAdd((task) => this.#take(task)));
    this.#store.add(tasks.onDidChange((task) => this.#take(task)));
  }

  /** Resolves when the workspaces on disk have been read once. */
  get ready(): Promise<void> {
    this.#ready ??= this.#readAll().catch(() => undefined);
    return this.#ready;
  }

  markOf(dataset: string, row: number): RowMark {
    return this.#marks.get(keyOf(dataset, row)) ?? { kind: 'untouched' };
  }

  /** Reads the disk again: another root, or workspaces that came and went. */
  async refresh(): Promise<void> {
    this.#marks.clear();
    this.#drawn.clear();
    this.#ready = undefined;
    await this.ready;
    for (const task of this.#tasks.all) this.#take(task);
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#store.dispose();
    this.#changed.dispose();
  }

  async #readAll(): Promise<void> {
    const { listWorkspaces } = await import('../../workspace/taskWorkspace.ts');
    const found = await listWorkspaces(this.#root());
    const waiting = found.values();
    const readSome = async (): Promise<void> => {
      for (const { folder, facts } of waiting) {
        const mark = await readMark(folder).catch((): RowMark => ({ kind: 'unverified' }));
        const key = keyOf(facts.origin.dataset, facts.origin.row);
        // An open task is more recent than its workspace on disk.
        if (this.#drawn.get(key) !== folder) this.#marks.set(key, mark);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readSome));
  }

  #take(task: OpenTask): void {
    const { origin } = task.workspace.facts;
    const key = keyOf(origin.dataset, origin.row);
    const { run, solution, goldFix } = task.state;
    const mark: RowMark = {
      ...markOf({
        changed: solution === 'changed',
        lastVerdict: run?.verdict,
        holds: run !== undefined && !run.outdated,
      }),
      goldFix,
    };
    const before = this.#marks.get(key);
    this.#drawn.set(key, task.folder);
    this.#marks.set(key, mark);
    if (isDeepStrictEqual(before, mark)) return;
    this.#changed.fire({ dataset: basename(origin.dataset), row: origin.row });
  }
}

async function readMark(folder: string): Promise<RowMark> {
  const [{ loadWorkspace }, { readSolution }, { lastRun }, { solutionStatus }, { hasGoldFix }] =
    await Promise.all([
      import('../../workspace/taskWorkspace.ts'),
      import('../../workspace/readSolution.ts'),
      import('../../workspace/runs/runs.ts'),
      import('../../workspace/solutionStatus.ts'),
      import('../../gold/goldFix.ts'),
    ]);
  const workspace = await loadWorkspace(folder);
  if (workspace instanceof Error) return { kind: 'unverified' };
  const [solution, last, goldFix] = await Promise.all([
    readSolution(workspace),
    lastRun(workspace),
    hasGoldFix(workspace),
  ]);
  const status = solutionStatus(workspace.task, solution, last);
  const mark = markOf({
    changed: status.edit === 'changed',
    lastVerdict: last?.record.verdict,
    holds: status.verdict === 'current',
  });
  return { ...mark, goldFix };
}

/** Only the dataset's name counts, as for the names of workspaces, so a dataset that was moved keeps its marks. */
function keyOf(dataset: string, row: number): string {
  return `${basename(dataset)}\0${row}`;
}
