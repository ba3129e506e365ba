/** The documents that `--json` prints, one per command, each with a schema. */
import * as z from 'zod';
import { goldRecordSchema } from '../../gold/goldRecord.ts';
import { runtimeKindSchema } from '../../runtime/schemas.ts';
import { familySchema, shapeSchema } from '../../task/schemas.ts';
import { gateSchema, ranInSchema } from '../../verifier/verdict/verdict.ts';
import { runStarterSchema, runSubjectSchema } from '../../workspace/runs/runs.ts';
import { verdictDocument } from './verdictDocument.ts';

export const DOCUMENT_VERSION = 1;
const version = z.literal(DOCUMENT_VERSION);

const problem = z.object({
  code: z.string(),
  severity: z.enum(['blocking', 'warning']),
  file: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  message: z.string(),
});

const task = z.object({
  id: z.string(),
  family: familySchema,
  shape: shapeSchema.nullable(),
  /** SHA-256 of its files, 64 hex digits. */
  hash: z.string(),
  /** The image it names: of `docker_image`, else the Dockerfile's base image; null when it names none. */
  image: z.string().nullable(),
  gold: z.enum(['none', 'script', 'files']),
  problems: z.array(problem),
});

const row = z.object({ index: z.number().int().nonnegative(), path: z.string() });
const dataset = z.object({ location: z.string(), format: z.string(), rowCount: z.number().int() });

export const listDocument = z.object({
  version,
  command: z.literal('list'),
  dataset: dataset.extend({ columns: z.array(z.string()) }),
  rows: z.array(row),
  /** Whether more rows match than `rows` holds. */
  more: z.boolean(),
});

export const fetchDocument = z.object({
  version,
  command: z.literal('fetch'),
  repo: z.string(),
  revision: z.string(),
  /** What the revision stands for: 40 hex digits. */
  commit: z.string(),
  /** Whether the hub was asked; `cache`: only what is on this machine is known. */
  from: z.enum(['hub', 'cache']),
  /** What matches, each one dataset: a file, or all parts of one. Bytes; `cached`: it is on this machine. */
  choices: z.array(
    z.object({ path: z.string(), files: z.number().int(), bytes: z.number().int(), cached: z.boolean() }),
  ),
  /** What was fetched; empty with `--list`. `location` is what the other commands take. */
  fetched: z.array(
    z.object({
      location: z.string(),
      files: z.array(
        z.object({ path: z.string(), hostPath: z.string(), bytes: z.number().int(), cached: z.boolean() }),
      ),
    }),
  ),
});

export const openDocument = z.object({
  version,
  command: z.literal('open'),
  task: task.extend({ instruction: z.string().nullable() }),
  dataset,
  row,
  workspace: z.object({
    folder: z.string(),
    /** False when it was there already. */
    created: z.boolean(),
    /** What is edited: path in the container and on this machine. */
    files: z.array(z.object({ path: z.string(), hostPath: z.string() })),
  }),
});

export const verifyDocument = z.object({
  version,
  command: z.literal('verify'),
  task,
  /** What was verified. */
  subject: runSubjectSchema,
  /** Null when a task was verified without a workspace. `run` is null when it could not be saved, or nothing ran. */
  workspace: z.object({ folder: z.string(), run: z.string().nullable() }).nullable(),
  /** Null when no runtime could be had, or there was nothing to run. */
  runtime: z.object({ kind: runtimeKindSchema, name: z.string(), where: z.string() }).nullable(),
  verdict: verdictDocument,
});

const gateState = gateSchema.shape.state;

export const historyDocument = z.object({
  version,
  command: z.literal('history'),
  workspace: z.object({ folder: z.string(), task: z.string() }),
  /** Newest first. */
  runs: z.array(
    z.object({
      /** Where the whole verdict lies. */
      file: z.string(),
      at: z.string(),
      startedBy: runStarterSchema,
      subject: runSubjectSchema,
      runtime: ranInSchema.omit({ platform: true }),
      outcome: z.enum(['scored', 'unscored']),
      reward: z.number().nullable(),
      gates: z.object({ passed: z.number().int(), total: z.number().int() }),
      solution: z.object({ hash: z.string(), kept: z.boolean() }),
      /** Since the run before, or the starter; null when one of the two solutions was not kept. Lines: null when not text. */
      changes: z
        .array(
          z.object({
            path: z.string(),
            change: z.enum(['changed', 'added', 'deleted']),
            added: z.number().int().nullable(),
            removed: z.number().int().nullable(),
          }),
        )
        .nullable(),
      /** Gates in another state than in the run before. */
      turned: z.array(
        z.object({ id: z.string(), title: z.string(), from: gateState.nullable(), to: gateState }),
      ),
    }),
  ),
  /** Damaged files in `runs/`. */
  damaged: z.array(z.string()),
});

export const goldSaveDocument = z.object({
  version,
  command: z.literal('gold save'),
  task,
  workspace: z.object({ folder: z.string() }),
  gold: z.object({ folder: z.string(), record: goldRecordSchema }),
});

export const goldCheckDocument = z.object({
  version,
  command: z.literal('gold check'),
  gold: z.object({ folder: z.string(), task: z.string() }),
  /** Whether nothing was edited and the reward is 1 or more again. */
  holds: z.boolean(),
  /** What was edited or does not fit; then nothing was run. */
  findings: z.array(
    z.object({
      code: z.enum(['missing', 'added', 'edited', 'inconsistent', 'other-task', 'other-verifier']),
      file: z.string(),
      line: z.number().int().positive().optional(),
      message: z.string(),
    }),
  ),
  notes: z.array(z.string()),
  /** Null when nothing was run. */
  verdict: verdictDocument.nullable(),
});

export const goldExportDocument = z.object({
  version,
  command: z.literal('gold export'),
  written: z.object({
    location: z.string(),
    format: z.enum(['parquet', 'arrow', 'tar', 'folder']),
    rows: z.number().int().nonnegative(),
    withGold: z.number().int().nonnegative(),
    untouched: z.number().int().nonnegative(),
    /** Columns of the dataset that this format has no place for. */
    leftOut: z.array(z.string()),
  }),
  /** Gold fixes that are of no row. */
  skipped: z.array(z.object({ folder: z.string(), because: z.string() })),
});

export const doctorDocument = z.object({
  version,
  command: z.literal('doctor'),
  /** Whether everything is in order. */
  fine: z.boolean(),
  checks: z.array(
    z.object({
      check: z.enum(['engine', 'permissions', 'images', 'sandbox', 'python', 'disk', 'cache', 'program']),
      state: z.enum(['fine', 'needs-care', 'not-needed', 'not-checked']),
      message: z.string(),
      details: z.array(z.string()),
      /** The best first; `command` is what to type in a terminal, null where the message says it all. */
      fixes: z.array(z.object({ message: z.string(), command: z.string().nullable() })),
    }),
  ),
});

export const errorDocument = z.object({
  version,
  /** Null when the command itself was not understood. */
  command: z.string().nullable(),
  error: z.object({
    code: z.string(),
    message: z.string(),
    nextStep: z.string(),
    exitCode: z.number().int(),
  }),
});

export type ListDocument = z.infer<typeof listDocument>;
export type FetchDocument = z.infer<typeof fetchDocument>;
export type OpenDocument = z.infer<typeof openDocument>;
export type VerifyDocument = z.infer<typeof verifyDocument>;
export type HistoryDocument = z.infer<typeof historyDocument>;
export type DoctorDocument = z.infer<typeof doctorDocument>;
export type GoldSaveDocument = z.infer<typeof goldSaveDocument>;
export type GoldCheckDocument = z.infer<typeof goldCheckDocument>;
export type GoldExportDocument = z.infer<typeof goldExportDocument>;
export type ErrorDocument = z.infer<typeof errorDocument>;
export type TaskDocument = z.infer<typeof task>;
export type AnyDocument =
  | ListDocument
  | FetchDocument
  | OpenDocument
  | VerifyDocument
  | HistoryDocument
  | GoldSaveDocument
  | GoldCheckDocument
  | GoldExportDocument
  | DoctorDocument
  | ErrorDocument;
