/** Checks a gold fix by its files alone: they must not have been edited, and must get the reward again. */
import type { RunControl, Runtime } from '../runtime/runtime.ts';
import type { Task } from '../task/task.ts';
import { starterOf } from '../verifier/plan/solution.ts';
import type { Verdict } from '../verifier/verdict/verdict.ts';
import { oracleFailure } from '../verifier/verdict/verdictFacts.ts';
import { verify, type VerifyOptions } from '../verifier/verify.ts';
import { type GoldFix, oracleOf } from './goldFix.ts';
import { type GoldFinding, inspectGoldFix } from './inspect.ts';

export interface GoldCheck {
  /** Problems of the files; when there are any, nothing was run. */
  readonly findings: readonly GoldFinding[];
  /** Facts that are worth knowing and no problem. */
  readonly notes: readonly string[];
  /** The verdict in a fresh container without a trace, after `solve.sh`; absent when nothing was run. */
  readonly verdict?: Verdict;
}

export type CheckOptions = Omit<VerifyOptions, 'trace' | 'onEvidence'>;

/** What is checked, against which task. */
export interface CheckRequest {
  readonly goldFix: GoldFix;
  readonly task: Task;
  readonly options: CheckOptions;
}

/** Whether a gold fix holds: nothing was edited, `solve.sh` worked, and the reward is 1 or more again. */
export function goldFixHolds({ findings, verdict }: GoldCheck): boolean {
  return (
    findings.length === 0 &&
    verdict?.outcome === 'scored' &&
    verdict.reward >= 1 &&
    oracleFailure(verdict) === undefined
  );
}

/** Inspects the files, and only if they are as they should be asks `runtime` for a place to run them. Never throws for what a gold fix holds. */
export async function checkGoldFix(
  { goldFix, task, options }: CheckRequest,
  { runtime, sinks, signal }: RunControl & { readonly runtime: () => Promise<Runtime> },
): Promise<GoldCheck> {
  const findings = inspectGoldFix(goldFix, task);
  if (findings.length > 0) return { findings, notes: [] };
  const subject = { kind: 'gold', starter: starterOf(task), gold: oracleOf(goldFix) } as const;
  const verdict = await verify(
    { task, subject, options: { ...options, trace: false } },
    { runtime: await runtime(), sinks, signal },
  );
  return { findings, notes: notesOn(goldFix, task, verdict), verdict };
}

function notesOn({ record }: GoldFix, task: Task, verdict: Verdict): string[] {
  const notes: string[] = [];
  if (record.task.hash !== task.hash)
    notes.push(
      'The solution/ of the task is another one than when the gold fix was saved; all else is the same.',
    );
  if (record.task.id !== task.id) notes.push(`It was saved for ${record.task.id}, and the task is the same.`);
  if (verdict.outcome !== 'scored') return notes;
  if (verdict.reward !== record.reward)
    notes.push(`The reward is ${verdict.reward}; it was ${record.reward} when the gold fix was saved.`);
  if (verdict.holdsFor.image !== record.image)
    notes.push(
      'The image is not the very one that the gold fix was saved with; a rebuilt one has another id.',
    );
  return notes;
}
