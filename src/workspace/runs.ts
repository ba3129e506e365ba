/** The history of a workspace: one file per run in `runs/`, whose names sort by time. */
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { verdictSchema } from '../verifier/verdict.ts';
import { writeAtomically } from './atomicWrite.ts';
import { readPlainFile } from './plainFile.ts';
import type { InFolder } from './workPaths.ts';
import { fileSystemError, systemCode, WorkspaceError } from './workspaceError.ts';
import { RUNS_FOLDER } from './workspaceFile.ts';

export const RUN_RECORD_VERSION = 1;
const MOST_RECORD_BYTES = 32 * 1024 * 1024;
const RUN_FILE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f]{8}\.json$/;

export const runRecordSchema = z.object({
  version: z.literal(RUN_RECORD_VERSION),
  /** When the run ended, ISO 8601. */
  at: z.string(),
  /** Who started it. */
  startedBy: z.enum(['person', 'agent']),
  /** What was verified; only a run of the person's own `solution` says something about it. */
  subject: z.enum(['solution', 'starter', 'gold']),
  /** The runtime that was asked to run it, such as `docker` and `Docker 28.2.2`. */
  runtime: z.object({ kind: z.enum(['docker', 'sandbox']), name: z.string() }),
  verdict: verdictSchema,
});

export type RunRecord = z.infer<typeof runRecordSchema>;

export interface SavedRun {
  /** Host path of the file in `runs/`. */
  readonly file: string;
  readonly record: RunRecord;
}

/** Saves a run under a name of its own. @throws WorkspaceError when it cannot be written; nothing is left behind. */
export async function saveRun(
  workspace: InFolder,
  run: Omit<RunRecord, 'version' | 'at'>,
  now: Date,
): Promise<SavedRun> {
  const record = { version: RUN_RECORD_VERSION, at: now.toISOString(), ...run } as const;
  const folder = await runsFolder(workspace);
  const name = `${record.at.replaceAll(':', '-')}-${run.verdict.holdsFor.solution.slice(0, 8)}.json`;
  const file = join(folder, name);
  await writeAtomically(file, `${JSON.stringify(record, undefined, 2)}\n`);
  return { file, record };
}

export interface RunList {
  /** Newest first. */
  readonly runs: readonly SavedRun[];
  /** Host paths of files that are no runs any more: edited by hand, cut short, of a newer version. */
  readonly damaged: readonly string[];
}

/** The newest runs, at most `most`. Never throws: a history that is missing or unreadable is an empty one. */
export async function listRuns(workspace: InFolder, most = Infinity): Promise<RunList> {
  const runs: SavedRun[] = [];
  const damaged: string[] = [];
  for (const file of await runFiles(workspace)) {
    if (runs.length >= most) break;
    const record = await readRecord(file);
    if (record) runs.push({ file, record });
    else damaged.push(file);
  }
  return { runs, damaged };
}

/** The newest run of the person's own solution. Never throws. */
export async function lastRun(workspace: InFolder): Promise<SavedRun | undefined> {
  for (const file of await runFiles(workspace)) {
    const record = await readRecord(file);
    if (record?.subject === 'solution') return { file, record };
  }
  return undefined;
}

async function runFiles(workspace: InFolder): Promise<string[]> {
  const folder = join(workspace.folder, RUNS_FOLDER);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => RUN_FILE.test(name))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

async function readRecord(file: string): Promise<RunRecord | undefined> {
  try {
    const bytes = await readPlainFile(file, MOST_RECORD_BYTES);
    const parsed = runRecordSchema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Made again when somebody deleted it; a link in its place would lead elsewhere. */
async function runsFolder(workspace: InFolder): Promise<string> {
  const folder = join(workspace.folder, RUNS_FOLDER);
  try {
    await mkdir(folder).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
    if ((await lstat(folder)).isDirectory()) return folder;
  } catch (error) {
    throw fileSystemError(error, folder, 'written');
  }
  throw new WorkspaceError(
    'not-a-plain-file',
    folder,
    `The run cannot be saved: ${folder} is not a folder.`,
    'Move it away; a new folder is made with the next run.',
  );
}
