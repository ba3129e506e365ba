/** `gold.json`: what a gold fix holds for and where it comes from. Read with a schema, since anyone may hand one over. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { clocksSchema } from '../runtime/evidence.ts';
import { containerPathSchema, familySchema, sha256Schema } from '../task/schemas.ts';
import { gateSchema, ranInSchema, testCaseSchema } from '../verifier/verdict/verdict.ts';
import { runStarterSchema } from '../workspace/runs/runs.ts';

export const GOLD_VERSION = 1;

const fixedFile = z.object({
  /** In the container. */
  path: containerPathSchema,
  change: z.enum(['changed', 'added', 'deleted']),
  /** Where its bytes lie in the gold fix, such as `solution/files/app/solution.py`; absent for a deleted one. */
  file: z.string().optional(),
  /** Permission bits it gets where it replaces no file. */
  mode: z.number().int().min(0).max(0o777),
});

/** Keys that this version does not know are kept; `seals` says whether they were there when it was saved. */
export const goldRecordSchema = z.looseObject({
  version: z.literal(GOLD_VERSION),
  task: z.object({
    /** The row's `path`. */
    id: z.string(),
    family: familySchema,
    /** `Task.hash`: over all files of the task. */
    hash: sha256Schema,
    /** The same without `solution/`, which is what an export of the gold fix changes. */
    hashWithoutSolution: sha256Schema,
  }),
  /** Where the task was read from; only the last part of the dataset's place, which is nobody's business. */
  dataset: z.object({ name: z.string(), format: z.string(), row: z.number().int().nonnegative() }),
  solution: z.object({
    /** `solutionHash`: over all files of the solution, those that are as shipped too. */
    hash: sha256Schema,
    /** What differs from the starter, by path. */
    files: z.array(fixedFile).min(1),
  }),
  /** Container paths of binary files, which `gold.patch` cannot hold; `solve.sh` puts them in place. */
  notInPatch: z.array(containerPathSchema),
  verifier: z.object({
    /** Over all files of `tests/`. */
    hash: sha256Schema,
  }),
  /** Image id or digest of the bare run. */
  image: z.string(),
  runtime: ranInSchema,
  /** As the verifier wrote it in a fresh container without a trace, after `solve.sh` ran. */
  reward: z.number(),
  rewards: z.record(z.string(), z.number()),
  /** Milliseconds of the bare run, by phase. */
  clocks: clocksSchema,
  /** From a traced run of the same solution. */
  gates: z.array(gateSchema),
  cases: z.array(testCaseSchema),
  /** When the bare run ended, ISO 8601. */
  savedAt: z.string(),
  tool: z.object({ name: z.literal('repair-bench'), version: z.string() }),
  /** What the person had been shown, with the time of the first look. */
  revealed: z.record(z.string(), z.string()),
  /**
   * Who started the first run of this solution that the history tells of: `agent` where a tool verified it before a
   * person did. The bare run above is by who saved it, which is a person.
   */
  startedBy: runStarterSchema,
  /** As git's configuration names the author, where it does. */
  author: z.object({ name: z.string().optional(), email: z.string().optional() }).optional(),
  /** SHA-256 of every other file of the gold fix, by its path in it. */
  files: z.record(z.string(), sha256Schema),
  /** The first 16 hex digits of the SHA-256 of every other field, so that a check can say which one was edited. */
  seals: z.record(z.string(), z.string()),
});

export type GoldRecord = z.infer<typeof goldRecordSchema>;
export type FixedFile = z.infer<typeof fixedFile>;

export type GoldRecordResult =
  { readonly ok: true; readonly record: GoldRecord } | { readonly ok: false; readonly because: string };

/** Parses `gold.json`; `because` completes the sentence "gold.json cannot be used: …". */
export function parseGoldRecord(text: string): GoldRecordResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { ok: false, because: `it is not JSON (${words})` };
  }
  const version = fieldsOf(value).find(([key]) => key === 'version')?.[1];
  if (typeof version === 'number' && version > GOLD_VERSION)
    return { ok: false, because: `it was made by a newer Repair Bench (its version is ${version})` };
  const parsed = goldRecordSchema.safeParse(value);
  if (parsed.success) return { ok: true, record: parsed.data };
  const [issue] = parsed.error.issues;
  const key = issue?.path.join('.') ?? '';
  return {
    ok: false,
    because: `${key === '' ? 'it' : `its "${key}"`} is wrong (${issue?.message ?? 'unknown'})`,
  };
}

/** The text of `gold.json`, sealed. */
export function goldRecordText(record: Omit<GoldRecord, 'seals'>): string {
  // What has no place in JSON must not be sealed.
  const plain: unknown = JSON.parse(JSON.stringify(record));
  const seals = Object.fromEntries(fieldsOf(plain).map(([key, value]) => [key, sealOf(value)]));
  return `${JSON.stringify({ ...record, seals }, undefined, 2)}\n`;
}

/** Fields of `gold.json` that are not as they were sealed: changed, added or taken out. In the file's order. */
export function brokenSeals(text: string): string[] {
  const fields = new Map(fieldsOf(JSON.parse(text)));
  const seals = new Map(fieldsOf(fields.get('seals')));
  const keys = new Set([...fields.keys(), ...seals.keys()]);
  keys.delete('seals');
  return [...keys].filter((key) => !fields.has(key) || sealOf(fields.get(key)) !== seals.get(key));
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const SEAL_DIGITS = 16;

function sealOf(value: unknown): string {
  return sha256Of(JSON.stringify(value)).slice(0, SEAL_DIGITS);
}

function fieldsOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
