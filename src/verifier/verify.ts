/** Runs a task's verifier over a solution: plan, run, judge. The one way in for the editor, the command line and audits. */
import type { RunSinks, Runtime, RuntimeFailure } from '../runtime/runtime.ts';
import type { Gold, Task } from '../task/task.ts';
import type { ContainerPath } from '../task/containerPath.ts';
import { structuredPatch } from 'diff';
import type { Evidence } from '../runtime/evidence.ts';
import type { ParseBash } from './bashGrammar.ts';
import type { GatePaths } from './gatePaths.ts';
import { judge } from './judge.ts';
import { type PlanOptions, planRun } from './plan.ts';
import { missingNetwork } from './runNotes.ts';
import { parseScript } from './scriptParse.ts';
import type { Script } from './script.ts';
import { solutionHash, type SolutionState } from './solution.ts';
import { testFilesOf } from './testFiles.ts';
import { VERDICT_VERSION, type Verdict } from './verdict.ts';

/** What is verified. */
export type Subject =
  | { readonly kind: 'solution'; readonly solution: SolutionState }
  /** A gold, by script or by files, over the starter: the task's own unless another one is given. */
  | { readonly kind: 'gold'; readonly starter: SolutionState; readonly gold?: Gold };

export interface VerifyOptions extends Omit<PlanOptions, 'runGoldScript'> {
  readonly parseBash: ParseBash;
  /** Sees the evidence before it is judged: for recording. */
  readonly onEvidence?: (evidence: Evidence) => void;
}

/** Runs once and judges. Never throws for what a task, an engine or a user can cause. */
export async function verify(
  task: Task,
  subject: Subject,
  runtime: Runtime,
  options: VerifyOptions,
  sinks: RunSinks,
  signal: AbortSignal,
): Promise<Verdict> {
  const { solution, script: goldScript } = resolveSubject(task, subject);
  const holdsFor = { task: task.hash, solution: solutionHash(solution) };
  const planned = planRun(task, solution, {
    ...options,
    ...(goldScript ? { runGoldScript: goldScript } : {}),
  });
  if (planned.kind === 'unplannable') return unplannable(planned, holdsFor);
  const result = await runtime.run(planned.plan, sinks, signal);
  switch (result.kind) {
    case 'cancelled':
      return { outcome: 'cancelled', version: VERDICT_VERSION, holdsFor };
    case 'failed':
      return engineError(result.failure, holdsFor);
    case 'ended': {
      const missing = missingNetwork(task, planned.plan, result.evidence);
      const evidence = {
        ...result.evidence,
        notes: [...result.evidence.notes, ...planned.notes, ...missing],
      };
      options.onEvidence?.(evidence);
      return judgeRun(task, solution, evidence, options);
    }
  }
}

/** Judges evidence of a run over `solution`; apart from {@link verify} so that recorded evidence can be judged again. */
export function judgeRun(
  task: Task,
  solution: SolutionState,
  evidence: Evidence,
  options: { readonly parseBash: ParseBash; readonly trace: boolean },
): Verdict {
  const source = testScriptOf(task);
  const paths = gatePathsOf(task);
  return judge({
    evidence,
    script: source === undefined ? undefined : parseBashScript(source, options.parseBash),
    shebang: source?.split('\n', 1)[0] ?? '',
    paths,
    tests: testFilesOf(task),
    traced: options.trace,
    goldHunks: goldHunks(task, solution),
    holdsFor: { task: task.hash, solution: solutionHash(solution) },
  });
}

/** The solution that a subject stands for, and the script that makes the rest of it in the container. */
export function resolveSubject(task: Task, subject: Subject) {
  if (subject.kind === 'solution') return { solution: subject.solution, script: undefined };
  const gold = subject.gold ?? task.gold;
  switch (gold.kind) {
    case 'none':
      return { solution: subject.starter, script: undefined };
    case 'script':
      return { solution: subject.starter, script: gold };
    case 'files': {
      const files = new Map(subject.starter.files);
      for (const { path, bytes } of gold.files) files.set(path, bytes);
      return { solution: { files }, script: undefined };
    }
  }
}

function testScriptOf(task: Task): string | undefined {
  const file = task.files.get('tests/test.sh');
  return file ? Buffer.from(file.bytes).toString('utf8') : undefined;
}

/** A script is read as bash when bash runs it: a shebang that names it, or none (bash then runs it itself). */
function parseBashScript(source: string, parse: ParseBash): Script | undefined {
  return source.startsWith('#!') && !/^#!.*\bbash\b/.test(source) ? undefined : parseScript(source, parse);
}

/** What gates are recognised by, as the task's family names it. */
export function gatePathsOf(task: Task): GatePaths & { readonly solution: readonly ContainerPath[] } {
  const { family } = task;
  const hashes = [...task.files.keys()].flatMap((path) =>
    /^tests\/.*(sha256|sha1|md5|pristine|baseline|checksum)/i.test(path) ? [`/${path}`] : [],
  );
  return {
    solution: family.solution.map(({ path }) => path),
    baseline: [...family.baselinePaths, ...hashes],
    gold: family.goldPaths,
  };
}

/** In how many places the solution differs from the gold, read as bytes so that any encoding will do. */
function goldHunks(task: Task, solution: SolutionState): number | undefined {
  if (task.gold.kind !== 'files') return undefined;
  return task.gold.files
    .map(({ path, bytes }) => {
      const now = Buffer.from(solution.files.get(path) ?? []).toString('latin1');
      const patch = structuredPatch('solution', 'gold', now, Buffer.from(bytes).toString('latin1'), '', '', {
        context: 0,
        timeout: 2000,
      });
      return patch?.hunks.length ?? 1;
    })
    .reduce((sum, hunks) => sum + hunks, 0);
}

function engineError(failure: RuntimeFailure, holdsFor: { task: string; solution: string }): Verdict {
  const { reason, message, detail, nextStep, at } = failure;
  return {
    outcome: 'engine-error',
    version: VERDICT_VERSION,
    reason,
    message,
    nextStep,
    ...(detail === undefined ? {} : { detail }),
    // A recipe knows its files from the root of the build context.
    ...(at === undefined ? {} : { at: { ...at, file: `environment/${at.file}` } }),
    holdsFor,
  };
}

function unplannable(
  why: {
    readonly reason: 'script-missing' | 'no-image';
    readonly message: string;
    readonly nextStep: string;
  },
  holdsFor: { task: string; solution: string },
): Verdict {
  if (why.reason === 'no-image')
    return {
      outcome: 'engine-error',
      version: VERDICT_VERSION,
      reason: 'no-image',
      message: why.message,
      nextStep: why.nextStep,
      holdsFor,
    };
  return {
    outcome: 'unscored',
    version: VERDICT_VERSION,
    reason: 'script-missing',
    message: why.message,
    nextStep: why.nextStep,
    gates: [],
    cases: [],
    warnings: [],
    clocks: {},
    output: { text: '', omitted: 0 },
    traced: false,
    runtime: { kind: 'docker', name: 'none', platform: 'none' },
    holdsFor: { ...holdsFor, image: 'none' },
  };
}
