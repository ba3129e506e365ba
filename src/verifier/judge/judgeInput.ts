/** What a verdict is made from: the evidence of a run with its task, script and solution. */
import { structuredPatch } from 'diff';
import type { Evidence } from '../../runtime/evidence.ts';
import type { ContainerPath } from '../../task/containerPath.ts';
import type { Task } from '../../task/task.ts';
import { TEST_SCRIPT } from '../../task/taskLayout.ts';
import type { ParseBash } from '../script/bashGrammar.ts';
import { type GatePaths, gatePathsOf } from '../gates/gatePaths.ts';
import type { Script } from '../script/script.ts';
import { parseBashScript } from '../script/scriptParse.ts';
import { verdictHashes, type SolutionState } from '../plan/solution.ts';
import { testFilesOf } from '../plan/testFiles.ts';

export interface JudgeInput {
  readonly evidence: Evidence;
  /** The parsed `test.sh`; undefined when it is not bash. */
  readonly script: Script | undefined;
  /** First line of `test.sh`. */
  readonly shebang: string;
  readonly paths: GatePaths;
  /** Files under `/tests`. */
  readonly tests: readonly ContainerPath[];
  readonly traced: boolean;
  readonly goldHunks: number | undefined;
  readonly holdsFor: { readonly task: string; readonly solution: string };
}

export interface JudgeOptions {
  readonly parseBash: ParseBash;
  /** Whether the run was traced. */
  readonly trace: boolean;
}

export function judgeInput(
  task: Task,
  solution: SolutionState,
  evidence: Evidence,
  { parseBash, trace }: JudgeOptions,
): JudgeInput {
  const file = task.files.get(TEST_SCRIPT);
  const source = file && Buffer.from(file.bytes).toString('utf8');
  return {
    evidence,
    script: source === undefined ? undefined : parseBashScript(source, parseBash),
    shebang: source?.split('\n', 1)[0] ?? '',
    paths: gatePathsOf(task),
    tests: testFilesOf(task),
    traced: trace,
    goldHunks: goldHunks(task, solution),
    holdsFor: verdictHashes(task, solution),
  };
}

/** In how many places the solution differs from the gold; compared as bytes, whatever the encoding. */
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
