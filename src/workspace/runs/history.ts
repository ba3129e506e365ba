/** The history of a workspace: its runs, newest first, each with what changed since the run before. */
import { basename } from 'node:path';
import { diffLines } from 'diff';
import type { ContainerPath } from '../../task/containerPath.ts';
import {
  changesBetween,
  type FileChange,
  type SolutionState,
  starterOf,
} from '../../verifier/plan/solution.ts';
import type { Gate, GateState } from '../../verifier/verdict/verdict.ts';
import { isKept, type WorkspaceWithTask, readKeptSolution } from './keptSolutions.ts';
import { type RunCache, newestRuns, type RunRecord, type SavedRun } from './runs.ts';

export interface FileDifference {
  readonly path: ContainerPath;
  readonly change: Exclude<FileChange, 'unchanged'>;
  /** Lines; undefined for files that are not text, or differ too much to be counted. */
  readonly lines: { readonly added: number; readonly removed: number } | undefined;
}

/** A gate whose state changed; `from` is undefined when the run before did not have the gate. */
export interface GateChange {
  readonly id: string;
  readonly title: string;
  readonly from: GateState | undefined;
  readonly to: GateState;
}

export interface HistoryEntry {
  /** The name of its file without the ending: unique in one workspace, and it sorts by time. */
  readonly id: string;
  /** Host path of the run. */
  readonly file: string;
  readonly record: RunRecord;
  /** Whether its solution was kept, so that it can be compared and restored. */
  readonly kept: boolean;
  /** The hash of the solution of the run before; undefined when this is the first, which is held against the starter. */
  readonly before: string | undefined;
  /** Since the run before, or since the starter; undefined when one of the two solutions was not kept. */
  readonly files: readonly FileDifference[] | undefined;
  readonly gates: readonly GateChange[];
}

export interface History {
  readonly entries: readonly HistoryEntry[];
  readonly damaged: readonly string[];
}

/** Limits how long two solutions are compared. */
const DIFF_MS = 500;
const MOST_DIFF_BYTES = 2 * 1024 * 1024;
const NOTHING = new Uint8Array();

/** Remembers runs that were read, so that the next reading only reads new ones. */
export class HistoryCache {
  readonly runs: RunCache = new Map();
  readonly entries = new WeakMap<RunRecord, { readonly entry: HistoryEntry; readonly run: ShownRun }>();
}

/** The newest runs of a workspace, at most `most`. Never throws: a run that cannot be read counts as damaged, a solution as not kept. */
export async function readHistory(
  workspace: WorkspaceWithTask,
  most: number,
  known = new HistoryCache(),
): Promise<History> {
  const { shown, damaged } = await shownRuns(workspace, most, known.runs);
  const entries: HistoryEntry[] = [];
  const solutions = new SolutionCache(workspace);
  for (const run of shown) {
    const { record, before } = run;
    const kept = await isKept(workspace, record.verdict.holdsFor.solution);
    const made = known.entries.get(record);
    const isSame = made?.entry.kept === kept && made.run.before?.record === before?.record;
    const entry = isSame ? made.entry : await entryOf(run, kept, solutions);
    known.entries.set(record, { entry, run });
    entries.push(entry);
  }
  return { entries, damaged };
}

async function entryOf(
  { file, record, before }: ShownRun,
  kept: boolean,
  solutions: SolutionCache,
): Promise<HistoryEntry> {
  return {
    id: basename(file, '.json'),
    file,
    record,
    kept,
    before: before?.record.verdict.holdsFor.solution,
    files: await differencesSince(solutions, record, before?.record),
    gates: before ? gateChanges(before.record.verdict.gates, record.verdict.gates) : [],
  };
}

interface ShownRun extends SavedRun {
  /** The run before it of the same subject; absent when there is none. */
  before?: SavedRun;
}

/** Reads runs until the run before each shown one is known. */
async function shownRuns(workspace: WorkspaceWithTask, most: number, known: RunCache) {
  const shown: ShownRun[] = [];
  const damaged: string[] = [];
  /** Runs whose previous run was not found yet, by subject. */
  const open = new Map<RunRecord['subject'], ShownRun>();
  const seen = new Set<string>();
  for await (const { file, record } of newestRuns(workspace, known)) {
    seen.add(file);
    if (!record) {
      damaged.push(file);
      continue;
    }
    const run: ShownRun = { file, record };
    const after = open.get(record.subject);
    if (after) after.before = run;
    open.delete(record.subject);
    if (shown.length < most) {
      shown.push(run);
      open.set(record.subject, run);
    }
    if (shown.length >= most && open.size === 0) break;
  }
  for (const file of known.keys()) if (!seen.has(file)) known.delete(file);
  return { shown, damaged };
}

async function differencesSince(
  solutions: SolutionCache,
  record: RunRecord,
  before: RunRecord | undefined,
): Promise<readonly FileDifference[] | undefined> {
  const hash = record.verdict.holdsFor.solution;
  if (before?.verdict.holdsFor.solution === hash) return [];
  const left = before ? await solutions.read(before.verdict.holdsFor.solution) : solutions.starter;
  const right = await solutions.read(hash);
  return left && right ? solutionDifference(left, right) : undefined;
}

/** What turns one solution into the other, in path order. Pure. */
export function solutionDifference(left: SolutionState, right: SolutionState): readonly FileDifference[] {
  return [...changesBetween(left, right)].flatMap(([path, change]): FileDifference[] => {
    if (change === 'unchanged') return [];
    const lines = lineCounts(left.files.get(path) ?? NOTHING, right.files.get(path) ?? NOTHING);
    return [{ path, change, lines }];
  });
}

/** Gates whose state changed, in the order of the verifier; none when a run has no gates. Pure. */
export function gateChanges(before: readonly Gate[], after: readonly Gate[]): readonly GateChange[] {
  if (before.length === 0) return [];
  const states = new Map(before.map(({ id, state }) => [id, state]));
  return after.flatMap(({ id, title, state }) =>
    states.get(id) === state ? [] : [{ id, title, from: states.get(id), to: state }],
  );
}

/** Read as bytes, so that any encoding will do. */
function lineCounts(before: Uint8Array, after: Uint8Array): FileDifference['lines'] {
  if (before.includes(0) || after.includes(0)) return undefined;
  if (before.length + after.length > MOST_DIFF_BYTES) return undefined;
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
  const parts = diffLines(text(before), text(after), { timeout: DIFF_MS });
  if (!parts) return undefined;
  const count = (side: 'added' | 'removed'): number =>
    parts.reduce((sum, part) => sum + (part[side] ? part.count : 0), 0);
  return { added: count('added'), removed: count('removed') };
}

/** Remembers the last solution read, since neighbours in the history are compared. */
class SolutionCache {
  readonly #workspace: WorkspaceWithTask;
  #last: { readonly hash: string; readonly solution: SolutionState | undefined } | undefined;

  constructor(workspace: WorkspaceWithTask) {
    this.#workspace = workspace;
  }

  get starter(): SolutionState {
    return starterOf(this.#workspace.task);
  }

  async read(hash: string): Promise<SolutionState | undefined> {
    if (this.#last?.hash === hash) return this.#last.solution;
    const solution = await readKeptSolution(this.#workspace, hash).catch(() => undefined);
    this.#last = { hash, solution };
    return solution;
  }
}
