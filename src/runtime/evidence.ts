/**
 * Evidence: everything that was collected from one run, not judged yet.
 * Plain data with a schema and a version: a recorded evidence is a fixture.
 */
import * as z from 'zod';
import { remediesSchema } from '../fault/remedySchema.ts';
import { containerPathSchema, runtimeKindSchema } from './schemas.ts';

export const EVIDENCE_VERSION = 1;

/** How a step ended. */
const stepEnd = z.discriminatedUnion('how', [
  z.object({ how: z.literal('exited'), code: z.number().int() }),
  /** Killed by a signal from inside or by the kernel, such as `SIGKILL` when out of memory. */
  z.object({ how: z.literal('killed'), signal: z.string(), outOfMemory: z.boolean() }),
  /** We killed it at its time limit. */
  z.object({ how: z.literal('timed-out'), afterMs: z.number() }),
  /** The command could not be started: no bash in the image, no such user or workdir. */
  z.object({ how: z.literal('cannot-start'), message: z.string() }),
]);

/** Text when the bytes are valid UTF-8, base64 otherwise. */
const content = z.union([z.object({ text: z.string() }), z.object({ base64: z.string() })]);

const collectedFile = z.object({
  path: containerPathSchema,
  /** Full size in bytes, also when `content` is only part of it. */
  size: z.number().int(),
  /** How many bytes were left out after the first part; 0 when `content` is whole. */
  omitted: z.number().int(),
  /** The first part; all of it when `omitted` is 0. */
  content,
  /** The last part, present only when `omitted` is above 0. */
  tail: content.optional(),
});

/** Milliseconds per phase; a phase that did not happen is left out. */
export const clocksSchema = z.object({
  resolve: z.number().optional(),
  build: z.number().optional(),
  create: z.number().optional(),
  upload: z.number().optional(),
  oracle: z.number().optional(),
  verify: z.number().optional(),
  collect: z.number().optional(),
  remove: z.number().optional(),
});

export const runtimeFactsSchema = z.object({
  kind: runtimeKindSchema,
  /** Such as `Docker 20.10.24` or `bubblewrap 0.8.0`. */
  name: z.string(),
  /** Image id or digest; for the sandbox a hash of what stands in for it. */
  image: z.string(),
  /** Such as `linux/amd64`. */
  platform: z.string(),
});

export const evidenceSchema = z.object({
  version: z.literal(EVIDENCE_VERSION),
  runtime: runtimeFactsSchema,
  oracle: z.object({ end: stepEnd, output: z.string() }).optional(),
  verifier: z.object({
    end: stepEnd,
    /** What the outer shell itself printed; the script's own output is a collected file. Bounded. */
    output: z.string(),
  }),
  collected: z.array(collectedFile),
  /** True when there were more files or bytes than the plan's limits allow to bring back. */
  collectionCut: z.boolean(),
  /** What the runtime did differently from the plan, in whole sentences for a person. */
  notes: z.array(z.object({ code: z.string(), message: z.string(), remedies: remediesSchema.optional() })),
  clocks: clocksSchema,
});

export type Evidence = z.infer<typeof evidenceSchema>;
export type StepEnd = z.infer<typeof stepEnd>;
export type CollectedFile = z.infer<typeof collectedFile>;
export type Clocks = z.infer<typeof clocksSchema>;
