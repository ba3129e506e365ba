/** `workspace.json`: the facts of a task workspace. Read with a schema, since people edit and move these folders. */
import * as z from 'zod';
import { containerPathSchema, familySchema, sha256Schema } from '../task/schemas.ts';

export const WORKSPACE_VERSION = 1;
export const WORKSPACE_FILE = 'workspace.json';
/** The task as shipped, so that a workspace works wherever its dataset went. */
export const TASK_FILE = 'task.tar.gz';
/** Holds the edited files, by container path. */
export const WORK_FOLDER = 'work';
/** Holds one verdict a file. */
export const RUNS_FOLDER = 'runs';

const revealable = z.enum(['tests', 'gold', 'expected-diff']);

/** Keys that this version does not know are kept, so that an older one does not lose what a newer one wrote. */
const workspaceSchema = z.looseObject({
  version: z.literal(WORKSPACE_VERSION),
  /** The task's id: the row's `path`. */
  task: z.string(),
  family: familySchema,
  /** `Task.hash`: a workspace belongs to exactly these task files. */
  taskHash: sha256Schema,
  origin: z.object({
    /** Where the dataset was when the workspace was made; it may have moved since. */
    dataset: z.string(),
    format: z.string(),
    row: z.number().int().nonnegative(),
  }),
  /** The files that are edited, by container path; the one to open first at index 0. */
  files: z.array(containerPathSchema),
  /** Permission bits of task files, where they are not what `task.tar.gz` gives: 0755 for `.sh`, 0644 for all else. */
  modes: z.record(z.string(), z.number().int().min(0).max(0o777)).default({}),
  /** The spoilers that the person saw, each with the time it was first shown. */
  revealed: z.partialRecord(revealable, z.string()).default({}),
  createdAt: z.string(),
});

export type WorkspaceFacts = z.infer<typeof workspaceSchema>;
export type WorkspaceOrigin = WorkspaceFacts['origin'];
export type Revealable = z.infer<typeof revealable>;

export type FactsResult =
  { readonly ok: true; readonly facts: WorkspaceFacts } | { readonly ok: false; readonly because: string };

/** Parses `workspace.json`; `because` completes the sentence "the file cannot be used: …". */
export function parseFacts(text: string): FactsResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      ok: false,
      because: `it is not JSON (${error instanceof Error ? error.message : String(error)})`,
    };
  }
  const version = versionOf(value);
  if (version !== undefined && version > WORKSPACE_VERSION)
    return { ok: false, because: `it was made by a newer Repair Bench (its version is ${version})` };
  const parsed = workspaceSchema.safeParse(value);
  if (parsed.success) return { ok: true, facts: parsed.data };
  const [issue] = parsed.error.issues;
  const key = issue?.path.join('.') ?? '';
  return {
    ok: false,
    because: `${key === '' ? 'it' : `its "${key}"`} is wrong (${issue?.message ?? 'unknown'})`,
  };
}

/** The file's text; keys in the order of the schema, so that it reads and diffs well. */
export function factsText(facts: WorkspaceFacts): string {
  return `${JSON.stringify(facts, undefined, 2)}\n`;
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('version' in value)) return undefined;
  return typeof value.version === 'number' ? value.version : undefined;
}
