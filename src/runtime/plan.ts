/**
 * A run plan: all that a runtime needs to know to run one verifier once.
 * Plain data with a schema and a version, since plans are stored and sent to agents.
 */
import * as z from 'zod';
import { containerPathSchema } from './schemas.ts';

export const RUN_PLAN_VERSION = 1;

/** A file's bytes, base64 so that a plan stays plain JSON whatever the encoding of a source is. */
const plannedFile = z.object({
  path: containerPathSchema,
  /** Permission bits, such as `0o644`. */
  mode: z.number().int(),
  base64: z.string(),
  /**
   * `keep`: take owner and mode of the file that is replaced, where there is one.
   * `root`: owned by root, with the given mode.
   */
  owner: z.enum(['keep', 'root']),
});

/** A file of the build context, relative to its root. */
const contextFile = z.object({ path: z.string(), mode: z.number().int(), base64: z.string() });

/**
 * What the Dockerfile's lines say that need no execution, for a runtime that cannot build:
 * `COPY` as files, `WORKDIR`, `ENV`, `USER`; and what it would have to leave out.
 */
const layout = z.object({
  baseImage: z.string(),
  workdir: containerPathSchema,
  user: z.string().optional(),
  env: z.record(z.string(), z.string()),
  files: z.array(plannedFile),
  /** `RUN` and other lines that only a build can honour. */
  skipped: z.array(z.object({ line: z.number().int(), text: z.string() })),
});

/** The Dockerfile, and what `task` read in it that a builder must know. Lines are 1-based. */
const dockerfile = z.object({
  /** In the context. */
  path: z.string(),
  /** The line of each instruction. */
  instructions: z.array(z.number().int()).readonly(),
  stages: z.number().int(),
  /** The images that it names, and where: `start` and `end` count UTF-16 code units of the line. */
  images: z
    .array(
      z.object({ name: z.string(), line: z.number().int(), start: z.number().int(), end: z.number().int() }),
    )
    .readonly(),
  /** What Docker's old builder does not know; `text` such as `RUN --mount`. */
  needsBuildKit: z
    .array(z.object({ line: z.number().int(), what: z.enum(['flag', 'here-document']), text: z.string() }))
    .readonly(),
});

const imageRecipe = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('build'),
    layout,
    dockerfile,
    context: z.array(contextFile),
    timeoutMs: z.number().positive(),
  }),
  z.object({ kind: z.literal('pull'), layout, name: z.string(), timeoutMs: z.number().positive() }),
]);

const step = z.object({
  /** argv; never given to a host shell. */
  command: z.array(z.string()).min(1),
  /** User name or id inside the container; undefined means the image's own. */
  user: z.string().optional(),
  /** Undefined means the image's own. */
  workdir: containerPathSchema.optional(),
  env: z.record(z.string(), z.string()),
  timeoutMs: z.number().positive(),
  /** Put in place as root just before the step starts. */
  files: z.array(plannedFile),
  /** Emptied (made when missing, mode 0777) before `files` are put in place. */
  emptied: z.array(containerPathSchema),
});

export const runPlanSchema = z.object({
  version: z.literal(RUN_PLAN_VERSION),
  /** The task's id, for labels and messages. */
  task: z.string(),
  image: imageRecipe,
  /** Deleted before anything else happens: the solution's deleted files. */
  removed: z.array(containerPathSchema),
  /** Runs first in the same container, such as a task's `solve.sh`. */
  oracle: step.optional(),
  verifier: step,
  /** Folders brought back after the run, each bounded by `limits`. */
  collected: z.array(containerPathSchema),
  /** `none`: no interface but loopback. `default`: the engine's own default network. */
  network: z.enum(['none', 'default']),
  limits: z.object({
    cpus: z.number().positive(),
    memoryMb: z.number().positive(),
    pids: z.number().int().positive(),
    /** The largest file that a process in the container may write, in MiB. */
    fileSizeMb: z.number().positive(),
    /** What is kept of one collected file, in bytes: its first and last part when it is longer. */
    collectedFileBytes: z.number().int().positive(),
    /** What is kept of all collected files together, in bytes. */
    collectedTotalBytes: z.number().int().positive(),
    collectedFiles: z.number().int().positive(),
  }),
});

export type RunPlan = z.infer<typeof runPlanSchema>;
export type RunStep = z.infer<typeof step>;
export type PlannedFile = z.infer<typeof plannedFile>;
export type PlannedDockerfile = z.infer<typeof dockerfile>;
export type ImageLayout = z.infer<typeof layout>;
export type ImageRecipe = z.infer<typeof imageRecipe>;
