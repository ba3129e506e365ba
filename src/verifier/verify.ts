/** Verifies: plans, runs and judges. The only entry point for the editor, the command line and audits. */
import type { Evidence } from '../runtime/evidence.ts';
import type { RunControl, Runtime } from '../runtime/runtime.ts';
import type { Task } from '../task/task.ts';
import type { ParseBash } from './script/bashGrammar.ts';
import { judge } from './judge/judge.ts';
import { judgeInput, type JudgeOptions } from './judge/judgeInput.ts';
import { type PlanOptions, planRun } from './plan/plan.ts';
import { networkWarnings } from './judge/networkWarnings.ts';
import { verdictHashes, type SolutionState } from './plan/solution.ts';
import { resolveSubject, type Subject } from './plan/subject.ts';
import { cancelledVerdict, engineErrorVerdict, noVerifierVerdict } from './verdict/unrun.ts';
import type { RanVerdict, Verdict } from './verdict/verdict.ts';

export interface VerifyOptions extends Omit<PlanOptions, 'oracle'> {
  readonly parseBash: ParseBash;
  /** Called with the evidence before it is judged, to record it. */
  readonly onEvidence?: (evidence: Evidence) => void;
}

export interface VerifyRequest {
  readonly task: Task;
  readonly subject: Subject;
  readonly options: VerifyOptions;
}

/** Runs once and judges. Never throws for what a task, an engine or a user can cause. */
export async function verify(
  { task, subject, options }: VerifyRequest,
  { runtime, sinks, signal }: RunControl & { readonly runtime: Runtime },
): Promise<Verdict> {
  const { solution, oracle } = resolveSubject(task, subject);
  const holdsFor = verdictHashes(task, solution);
  const planned = planRun(task, solution, { ...options, ...(oracle ? { oracle } : {}) });
  switch (planned.kind) {
    case 'no-verifier':
      return noVerifierVerdict(planned, holdsFor);
    case 'no-image':
      return engineErrorVerdict({ ...planned, reason: planned.kind }, holdsFor);
    case 'planned':
      break;
  }
  const result = await runtime.run(planned.plan, sinks, signal);
  switch (result.kind) {
    case 'cancelled':
      return cancelledVerdict(holdsFor);
    case 'failed':
      return engineErrorVerdict(result.failure, holdsFor);
    case 'ended': {
      const missing = networkWarnings(task, planned.plan, result.evidence);
      const evidence = {
        ...result.evidence,
        notes: [...result.evidence.notes, ...planned.warnings, ...missing],
      };
      options.onEvidence?.(evidence);
      return judgeRun(task, solution, evidence, options);
    }
  }
}

/** Judges evidence of a run over `solution`; recorded evidence can be judged again with it. */
export function judgeRun(
  task: Task,
  solution: SolutionState,
  evidence: Evidence,
  options: JudgeOptions,
): RanVerdict {
  return judge(judgeInput(task, solution, evidence, options));
}
