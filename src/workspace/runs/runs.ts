/** The runs of a workspace: one file a run in `runs/`, with the solutions that were verified beside them. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type SolutionState, solutionHash } from '../../verifier/plan/solution.ts';
import { ranInSchema, storedVerdictSchema } from '../../verifier/verdict/verdict.ts';
import { createAtomically } from '../atomicWrite.ts';
import { keepSolution, type WorkspaceWithTask } from './keptSolutions.ts';
import { readPlainFile } from '../plainFile.ts';
import { pruneRuns } from './pruneRuns.ts';
import { makeRunsFolder, nextRunName, runNames, runsFolderOf, solutionPrefixIn } from './runFiles.ts';
import type { WorkspaceFolder } from '../workPaths.ts';
import { WorkspaceError } from '../workspaceError.ts';

export const RUN_RECORD_VERSION = 1;
const MOST_RECORD_BYTES = 32 * 1024 * 1024;
/** The most damaged files that are read, since a folder may be full of other files. */
const MOST_DAMAGED = 100;
const MOST_TRIES = 20;

/** Who started a run: a person, or a tool on behalf of a language model. */
export const runStarterSchema = z.enum(['person', 'agent']);
export type RunStarter = z.infer<typeof runStarterSchema>;

/** What was verified; only a run of the person's own `solution` says something about it. */
export const runSubjectSchema = z.enum(['solution', 'starter', 'gold']);
export type RunSubject = z.infer<typeof runSubjectSchema>;

export const runRecordSchema = z.object({
  version: z.literal(RUN_RECORD_VERSION),
  /** When the run ended, ISO 8601. */
  at: z.string(),
  startedBy: runStarterSchema,
  subject: runSubjectSchema,
  /** The runtime that was asked to run it, such as `docker` and `Docker 28.2.2`. */
  runtime: ranInSchema.omit({ platform: true }),
  verdict: storedVerdictSchema,
});

/**
 * Records of runs that never were, which earlier versions saved: after an engine failed, or for a task without
 * `tests/test.sh`, with a runtime "none".
 */
const unrunRecordSchema = z.object({
  verdict: z.union([
    z.object({ outcome: z.enum(['engine-error', 'cancelled']) }),
    z.object({ outcome: z.literal('unscored'), reason: z.literal('script-missing') }),
  ]),
});

export type RunRecord = z.infer<typeof runRecordSchema>;

export interface SavedRun {
  /** Host path of the file in `runs/`. */
  readonly file: string;
  readonly record: RunRecord;
}

/**
 * Saves a run under a name of its own, with `solution` where it may be kept (not a task's gold), and deletes runs that
 * are too old. Callers do not save what could not run, which says nothing about a solution.
 * @throws WorkspaceError when the run cannot be written; no half of a file is left behind
 */
export async function saveRun(
  workspace: WorkspaceWithTask,
  run: Omit<RunRecord, 'version' | 'at'>,
  solution: SolutionState | undefined,
  now: Date,
): Promise<SavedRun> {
  // Field by field, since `run` may be the record of another run, with a time of its own.
  const { startedBy, subject, runtime, verdict } = run;
  const at = now.toISOString();
  const record: RunRecord = { version: RUN_RECORD_VERSION, at, startedBy, subject, runtime, verdict };
  await makeRunsFolder(runsFolderOf(workspace));
  if (solution) await keepSolution(workspace, solution);
  const text = `${JSON.stringify(record, undefined, 2)}\n`;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const [newest] = await runNames(workspace);
    const file = join(runsFolderOf(workspace), nextRunName(now, run.verdict.holdsFor.solution, newest));
    // Another process may have ended a run in the same millisecond.
    if (!(await createAtomically(file, text))) continue;
    await pruneRuns(workspace);
    return { file, record };
  }
  throw new WorkspaceError(
    'unexpected',
    runsFolderOf(workspace),
    `The run cannot be saved: other programs write to ${runsFolderOf(workspace)} all the time.`,
    'End them, then verify again.',
  );
}

/** What a file in `runs/` holds: a run, the verdict of something that never ran, or nothing that can be read. */
type RunFile =
  | { readonly kind: 'run'; readonly record: RunRecord }
  | { readonly kind: 'unrun'; readonly record?: undefined }
  | { readonly kind: 'damaged'; readonly record?: undefined };

/** Files that were read before, by their host path. */
export type RunCache = Map<string, RunFile & { readonly stamp: string }>;

/**
 * All runs, newest first, each read on demand. Damaged files come without a record, a limited number of them; records of
 * runs that never were are skipped. A file in `known` that was not changed since is not read again. Never throws: a
 * history that is missing or unreadable is empty.
 */
export async function* newestRuns(
  workspace: WorkspaceFolder,
  known?: RunCache,
): AsyncGenerator<{ readonly file: string; readonly record: RunRecord | undefined }> {
  let damaged = 0;
  for (const name of await runNames(workspace)) {
    const file = join(runsFolderOf(workspace), name);
    const { kind, record } = known ? await readUnlessKnown(file, known) : await readRunFile(file);
    if (kind === 'unrun') continue;
    yield { file, record };
    if (!record && ++damaged >= MOST_DAMAGED) return;
  }
}

/** The newest run of the person's own solution. Never throws. */
export async function lastRun(workspace: WorkspaceFolder): Promise<SavedRun | undefined> {
  for await (const { file, record } of newestRuns(workspace))
    if (record?.subject === 'solution') return { file, record };
  return undefined;
}

/** The oldest saved run of exactly this solution, whatever its outcome. Never throws. */
export async function firstRunOf(
  workspace: WorkspaceWithTask,
  solution: SolutionState,
): Promise<SavedRun | undefined> {
  const hash = solutionHash(solution);
  for (const name of (await runNames(workspace)).toReversed()) {
    if (solutionPrefixIn(name) !== hash.slice(0, 8)) continue;
    const file = join(runsFolderOf(workspace), name);
    const { record } = await readRunFile(file);
    if (record?.subject !== 'solution') continue;
    const { holdsFor } = record.verdict;
    if (holdsFor.task === workspace.task.hash && holdsFor.solution === hash) return { file, record };
  }
  return undefined;
}

async function readUnlessKnown(file: string, known: RunCache): Promise<RunFile> {
  const stamp = await lstat(file).then(
    ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
    () => 'gone',
  );
  const before = known.get(file);
  if (before?.stamp === stamp) return before;
  const read = { ...(await readRunFile(file)), stamp };
  known.set(file, read);
  return read;
}

/** Never throws. */
async function readRunFile(file: string): Promise<RunFile> {
  try {
    const bytes = await readPlainFile(file, MOST_RECORD_BYTES);
    const content: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (unrunRecordSchema.safeParse(content).success) return { kind: 'unrun' };
    return { kind: 'run', record: runRecordSchema.parse(content) };
  } catch {
    return { kind: 'damaged' };
  }
}
