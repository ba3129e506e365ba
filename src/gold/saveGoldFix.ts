/** Saves a workspace's solution as a gold fix, after a run in a fresh container without a trace gave the reward. */
import { byChoice, inWords } from '../fault/remedy.ts';
import type { RunControl, Runtime } from '../runtime/runtime.ts';
import { type SolutionState, solutionHash, starterOf } from '../verifier/plan/solution.ts';
import type { ScoredVerdict } from '../verifier/verdict/verdict.ts';
import { didRun } from '../verifier/verdict/verdictFacts.ts';
import { verify } from '../verifier/verify.ts';
import { firstRunOf, lastRun, type RunRecord, saveRun } from '../workspace/runs/runs.ts';
import { readFacts, type TaskWorkspace } from '../workspace/taskWorkspace.ts';
import type { CheckOptions } from './checkGoldFix.ts';
import { type Draft, draftOf } from './draft.ts';
import { gitAuthor } from './patch/gitAuthor.ts';
import { GoldError } from './goldError.ts';
import { type GoldFix, goldFixOf, hashWithoutSolution, oracleOf, verifierHash } from './goldFix.ts';
import { goldFolderOf, GOLD_RECORD } from './goldNames.ts';
import { type GoldRecord, goldRecordText, GOLD_VERSION, sha256Of } from './goldRecord.ts';
import { requireSolved } from './requireSolved.ts';
import { type Occupant, occupantOf, writeFolder } from './writeGoldFix.ts';

export interface SaveOptions {
  readonly verify: CheckOptions;
  /** Who asks for it to be saved, and so for the runs of that. */
  readonly startedBy: RunRecord['startedBy'];
  /** Of Repair Bench. */
  readonly version: string;
  /** Replaces a gold fix of another solution, or one that was edited. */
  readonly replace: boolean;
}

/** What is saved, and from where. */
export interface SaveRequest {
  readonly workspace: TaskWorkspace;
  readonly solution: SolutionState;
  readonly options: SaveOptions;
}

export interface UsedRuntime {
  readonly runtime: Runtime;
  /** Such as `Docker 28.2.2`. */
  readonly name: string;
}

export type SaveResult =
  | { readonly kind: 'saved'; readonly goldFix: GoldFix }
  /** Nothing was written. */
  | { readonly kind: 'cancelled' };

/**
 * Saves `solution` as the gold fix of `workspace`; asks for a runtime only once nothing else is in the way
 * (undefined: it was cancelled).
 * @throws GoldError when it does not get reward 1, cannot be verified, or another gold fix is in its place;
 * WorkspaceError when it cannot be written. Nothing is written then.
 */
export async function saveGoldFix(
  request: SaveRequest,
  { runtime, ...control }: RunControl & { readonly runtime: () => Promise<UsedRuntime | undefined> },
): Promise<SaveResult> {
  const { workspace, solution, options } = request;
  const { task } = workspace;
  const draft = draftOf(task, solution);
  if (draft.fixed.length === 0)
    throw new GoldError(
      'unchanged',
      `The solution of ${task.id} is the starter as shipped, so there is no fix to save.`,
      'Fix the task first, then verify it.',
    );
  refuseOccupied(await occupantOf(goldFolderOf(workspace)), request);
  const used = await runtime();
  if (!used) return { kind: 'cancelled' };
  // A run with an oracle gets a container of its own, never one that was started ahead.
  const subject = { kind: 'gold', starter: starterOf(task), gold: oracleOf(draft) } as const;
  const bare = await verify(
    { task, subject, options: { ...options.verify, trace: false } },
    { runtime: used.runtime, ...control },
  );
  if (bare.outcome === 'cancelled') return { kind: 'cancelled' };
  const solved = requireSolved(task.id, bare);
  const savedAt = new Date();
  const traced = await tracedVerdict(request, used, control);
  if (traced === undefined) return { kind: 'cancelled' };
  const record = await recordOf(request, draft, { solved, traced, savedAt });
  const text = goldRecordText(record);
  const files = new Map(draft.files);
  files.set(GOLD_RECORD, { path: GOLD_RECORD, bytes: new Uint8Array(Buffer.from(text)), mode: 0o644 });
  const folder = goldFolderOf(workspace);
  await writeFolder(folder, files.values());
  return { kind: 'saved', goldFix: goldFixOf(folder, files) };
}

const MOVE_OR_REPLACE = [inWords('Move it away.'), byChoice('replace', 'replace it')];

/** With `replace` any gold fix may go, and still nothing else. @throws GoldError `occupied` */
function refuseOccupied(occupant: Occupant, { workspace, solution, options }: SaveRequest): void {
  const { replace } = options;
  const folder = goldFolderOf(workspace);
  switch (occupant.kind) {
    case 'nothing':
      return;
    case 'gold-fix':
      if (replace || occupant.solution === solutionHash(solution)) return;
      throw new GoldError('occupied', `${folder} holds the gold fix of another solution.`, MOVE_OR_REPLACE);
    case 'edited':
      if (replace) return;
      throw new GoldError(
        'occupied',
        `${folder} holds a gold fix that was edited since it was saved.`,
        MOVE_OR_REPLACE,
      );
    case 'something-else':
      throw new GoldError(
        'occupied',
        `${folder} is there already and is not a gold fix.`,
        'Move it away, then save again.',
      );
  }
}

/** Gates and cases: of the last run where it holds for exactly this solution, else of a new one. */
async function tracedVerdict(
  { workspace, solution, options: { verify: given, startedBy } }: SaveRequest,
  { runtime, name }: UsedRuntime,
  control: RunControl,
): Promise<ScoredVerdict | undefined> {
  const { task } = workspace;
  const hash = solutionHash(solution);
  const known = (await lastRun(workspace))?.record.verdict;
  if (known?.outcome === 'scored' && known.traced && known.reward >= 1)
    if (known.holdsFor.task === task.hash && known.holdsFor.solution === hash) return known;
  const options = { ...given, trace: true };
  const subject = { kind: 'solution', solution } as const;
  const verdict = await verify({ task, subject, options }, { runtime, ...control });
  if (verdict.outcome === 'cancelled') return undefined;
  if (didRun(verdict))
    await saveRun(
      workspace,
      { startedBy, subject: 'solution', runtime: { kind: runtime.kind, name }, verdict },
      solution,
      new Date(),
    );
  if (verdict.outcome === 'scored' && verdict.reward < 1)
    throw new GoldError(
      'not-solved',
      `The verifier of ${task.id} gave reward 1 in a bare run and ${verdict.reward} right after it in a traced one, so it cannot be relied on.`,
      'Verify the solution some more times and see which gate changes.',
    );
  return requireSolved(task.id, verdict);
}

async function recordOf(
  { workspace, solution, options }: SaveRequest,
  draft: Draft,
  from: { readonly solved: ScoredVerdict; readonly traced: ScoredVerdict; readonly savedAt: Date },
): Promise<Omit<GoldRecord, 'seals'>> {
  const { task } = workspace;
  const { solved, traced } = from;
  // What was revealed may have changed since the workspace was loaded.
  const [{ origin, revealed }, author, first] = await Promise.all([
    readFacts(workspace.folder),
    gitAuthor(workspace.folder),
    firstRunOf(workspace, solution),
  ]);
  return {
    version: GOLD_VERSION,
    task: {
      id: task.id,
      family: task.family.name,
      hash: task.hash,
      hashWithoutSolution: hashWithoutSolution(task),
    },
    dataset: { name: lastName(origin.dataset), format: origin.format, row: origin.row },
    solution: { hash: solutionHash(solution), files: [...draft.fixed] },
    notInPatch: [...draft.notInPatch],
    verifier: { hash: verifierHash(task) },
    image: solved.holdsFor.image,
    runtime: solved.runtime,
    reward: solved.reward,
    rewards: solved.rewards,
    clocks: solved.clocks,
    gates: traced.gates,
    cases: traced.cases,
    savedAt: from.savedAt.toISOString(),
    tool: { name: 'repair-bench', version: options.version },
    revealed,
    startedBy: first?.record.startedBy ?? options.startedBy,
    ...(author === undefined ? {} : { author }),
    files: Object.fromEntries([...draft.files.values()].map(({ path, bytes }) => [path, sha256Of(bytes)])),
  };
}

/** Of a path of any system. */
function lastName(path: string): string {
  return /[^/\\]*(?=[/\\]*$)/.exec(path)?.[0] ?? '';
}
