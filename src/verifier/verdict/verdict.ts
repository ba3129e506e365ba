/**
 * A verdict: the result of one run of a verifier over one solution, and why.
 * Plain data with a schema and a version, since verdicts are stored in `runs/` and sent to agents.
 */
import * as z from 'zod';
import { remediesSchema } from '../../fault/remedySchema.ts';
import { clocksSchema, runtimeFactsSchema } from '../../runtime/evidence.ts';
import { containerPathSchema } from '../../task/schemas.ts';

export const VERDICT_VERSION = 2;

/** A place a person can open. `path` is a container path, as in `/app/solution.py`. 1-based. */
const place = z.object({
  path: containerPathSchema,
  line: z.number().int().positive(),
  column: z.number().int().positive().optional(),
});

const gateKind = z.enum(['exists', 'edited', 'matches-gold', 'compiles', 'imports', 'tests', 'check']);
const gateState = z.enum(['passed', 'failed', 'errored', 'not-reached']);

/** How the runner of a gate was started, so that a trial starts it in the same way. */
const launch = z.object({
  words: z.array(z.string()),
  /** The script's folder by then, if it changed folder: absolute, relative to the first one, or from the home folder as `~`. */
  folder: z.string().optional(),
  /** Variables that the script had exported by then, or set for this command. */
  env: z.record(z.string(), z.string()),
});

export const gateSchema = z.object({
  /** Stable for one `test.sh`: kind and line, such as `compiles@24`. */
  id: z.string(),
  kind: gateKind,
  /** What it checks, for a person: `solution.py compiles`. */
  title: z.string(),
  state: gateState,
  /** Whether this gate decided the reward. At most one gate is. */
  decisive: z.boolean(),
  /** Its lines in `tests/test.sh`, 1-based and inclusive. */
  line: z.number().int().positive(),
  endLine: z.number().int().positive(),
  /** The command as bash expanded it, or as written when it did not run. Bounded. */
  command: z.string(),
  /** Exit status of the command, when the trace shows it. */
  status: z.number().int().optional(),
  /** How often it ran; more than 1 in a loop. */
  runs: z.number().int().nonnegative(),
  /** The reason for the state, one sentence. */
  message: z.string(),
  /** Where the failure points, when the evidence tells. */
  at: place.optional(),
  /** For gates that run tests, when the trace shows it. */
  launch: launch.optional(),
});

export const testCaseSchema = z.object({
  /** As the runner names it: `test_solution.test_empty_input`. */
  name: z.string(),
  state: z.enum(['passed', 'failed', 'errored', 'skipped']),
  /** Milliseconds, when the report tells. */
  durationMs: z.number().optional(),
  /** First line of the failure. */
  message: z.string().optional(),
  /** The runner's own text, bounded. */
  detail: z.string().optional(),
  /** The failing place: deepest frame in the solution, else the assertion. */
  at: place.optional(),
  /** The assertion, when `at` is in the solution. */
  related: place.optional(),
  /** Line of `test.sh` that ran the runner. */
  gateLine: z.number().int().optional(),
});

const warning = z.object({
  /** Such as `contradiction`, `fallback`, `sandbox-run-lines-skipped`. */
  code: z.string(),
  message: z.string(),
  remedies: remediesSchema.optional(),
});

const outputExcerpt = z.object({
  text: z.string(),
  /** Bytes left out of the middle. */
  omitted: z.number().int().nonnegative(),
});

/** The runtime of a run, such as `docker`, `Docker 28.2.2` and `linux/amd64`. */
export const ranInSchema = runtimeFactsSchema.omit({ image: true });

/** Fields of every verdict on a run that took place. */
const runFacts = {
  version: z.literal(VERDICT_VERSION),
  gates: z.array(gateSchema),
  cases: z.array(testCaseSchema),
  warnings: z.array(warning),
  clocks: clocksSchema,
  /** The last line of `test.sh` that wrote the reward, when the trace shows it. */
  rewardLine: z.number().int().positive().optional(),
  /** passed / (passed + failed), as the verifier wrote it. */
  passRatio: z.number().optional(),
  /** What `test.sh` printed, bounded. */
  output: outputExcerpt,
  traced: z.boolean(),
  runtime: ranInSchema,
  /** A verdict holds for exactly these: SHA-256 of task and solution, and the image's id. */
  holdsFor: z.object({ task: z.string(), solution: z.string(), image: z.string() }),
};

/** Fields of a verdict when nothing ran: no gates, no clocks, no runtime. */
const unrunFacts = {
  version: z.literal(VERDICT_VERSION),
  /** SHA-256 of task and solution; there was no image. */
  holdsFor: z.object({ task: z.string(), solution: z.string() }),
};

const unscoredReason = z.enum(['missing', 'empty', 'unparsable', 'not-finite', 'timed-out', 'cannot-start']);

const scored = z.object({
  outcome: z.literal('scored'),
  reward: z.number(),
  /** All numbers of `reward.json`; `{ reward }` for `reward.txt`. */
  rewards: z.record(z.string(), z.number()),
  ...runFacts,
});

const unscored = z.object({
  outcome: z.literal('unscored'),
  reason: unscoredReason,
  message: z.string(),
  remedies: remediesSchema,
  ...runFacts,
});

/** The task has no `tests/test.sh`. */
const noVerifier = z.object({
  outcome: z.literal('no-verifier'),
  message: z.string(),
  remedies: remediesSchema,
  ...unrunFacts,
});

const engineError = z.object({
  outcome: z.literal('engine-error'),
  reason: z.string(),
  message: z.string(),
  detail: z.string().optional(),
  remedies: remediesSchema,
  /** A file of the task, by its path in the archive. */
  at: z.object({ file: z.string(), line: z.number().int().positive() }).optional(),
  ...unrunFacts,
});

const cancelled = z.object({ outcome: z.literal('cancelled'), ...unrunFacts });

/** A verdict on a run that took place. */
export const ranVerdictSchema = z.discriminatedUnion('outcome', [scored, unscored]);
export const verdictSchema = z.discriminatedUnion('outcome', [
  scored,
  unscored,
  noVerifier,
  engineError,
  cancelled,
]);

/** A stored verdict, of this or an earlier version. */
export const storedVerdictSchema = z.preprocess(upgraded, ranVerdictSchema);

/** Version 1 had one remedy as text, `nextStep`. */
function upgraded(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('version' in stored) || stored.version !== 1)
    return stored;
  const remedies = 'nextStep' in stored ? [{ kind: 'words', text: stored.nextStep }] : undefined;
  return { ...stored, version: VERDICT_VERSION, ...(remedies && { remedies }) };
}

export type Verdict = z.infer<typeof verdictSchema>;
export type RanVerdict = z.infer<typeof ranVerdictSchema>;
/** A verdict when nothing ran; it says nothing about the solution. */
export type UnrunVerdict = Exclude<Verdict, RanVerdict>;
export type ScoredVerdict = z.infer<typeof scored>;
export type UnscoredVerdict = z.infer<typeof unscored>;
export type NoVerifierVerdict = z.infer<typeof noVerifier>;
export type EngineErrorVerdict = z.infer<typeof engineError>;
/** A verdict without a reward; carries a reason and remedies. */
export type RewardlessVerdict = UnscoredVerdict | NoVerifierVerdict | EngineErrorVerdict;
export type UnscoredReason = z.infer<typeof unscoredReason>;
export type Gate = z.infer<typeof gateSchema>;
export type Launch = z.infer<typeof launch>;
export type GateKind = z.infer<typeof gateKind>;
export type GateState = z.infer<typeof gateState>;
export type TestCase = z.infer<typeof testCaseSchema>;
export type Warning = z.infer<typeof warning>;
export type Place = z.infer<typeof place>;
