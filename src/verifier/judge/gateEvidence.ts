/** The evidence that a gate is judged by. */
import type { StepEnd } from '../../runtime/evidence.ts';
import type { ContainerPath } from '../../task/containerPath.ts';
import type { Execution } from '../trace/replay.ts';
import type { Gate, TestCase } from '../verdict/verdict.ts';

export interface GateEvidence {
  readonly executions: readonly Execution[];
  /** Executions of each leaf, by its id. */
  readonly runsOf: ReadonlyMap<number, readonly Execution[]>;
  /** How `test.sh` ended. */
  readonly end: StepEnd;
  readonly reward: number | undefined;
  /** All output that was collected. */
  readonly output: string;
  readonly solution: readonly ContainerPath[];
  readonly cases: readonly TestCase[];
  /** Lines of `test.sh` whose runner left a report. */
  readonly reportedLines: ReadonlySet<number>;
  /** Line at which the script switched its trace off. */
  readonly untracedFrom: number | undefined;
  /** Hunks in which the solution differs from the gold, when both are known. */
  readonly goldHunks: number | undefined;
}

export type GateJudgement = Pick<Gate, 'state' | 'message'> & Partial<Pick<Gate, 'at'>>;

export function runsByLeaf(executions: readonly Execution[]): ReadonlyMap<number, readonly Execution[]> {
  const runs = new Map<number, Execution[]>();
  for (const execution of executions) {
    const { id } = execution.command;
    const list = runs.get(id);
    if (list) list.push(execution);
    else runs.set(id, [execution]);
  }
  return runs;
}

/** Why a command could not run, by its status or by bash's own message; undefined when it ran. */
export function whyNotRun(execution: Execution, output: string): string | undefined {
  const { status, words, line } = execution;
  const program = words[0] ?? 'The command';
  // After `if` and `!` the status is hidden, but bash prints that it did not find the command.
  const missing =
    status === undefined && output.includes(`test.sh: line ${line}: ${program}: command not found`);
  if (status === 127 || missing) return `${program}: command not found in the image.`;
  if (status === undefined || status < 126) return undefined;
  if (status === 126) return `${program} could not be executed.`;
  return `${program} was killed by signal ${status - 128}.`;
}

/** The line where the script last read a gate's output or status, if it turned away from a reward there. */
export function refusingLine(
  readings: readonly {
    readonly placed: { readonly leaf: { readonly id: number; readonly line: number } };
    readonly passesOn: 'zero' | 'nonzero';
  }[],
  evidence: GateEvidence,
): number | undefined {
  const known = readings.flatMap(({ placed, passesOn }) => {
    const run = evidence.runsOf.get(placed.leaf.id)?.at(-1);
    return run?.succeeded === undefined
      ? []
      : [{ line: placed.leaf.line, leadsOn: (passesOn === 'zero') === run.succeeded }];
  });
  const last = known.at(-1);
  return last && !last.leadsOn ? last.line : undefined;
}
