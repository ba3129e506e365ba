/**
 * A quick look: one test case, or the tests of one gate, run alone as the verifier ran them. It is never a verdict:
 * the rest of `test.sh` does not run, no reward is read. Pure: a runtime runs what is planned here.
 */
import { posix } from 'node:path';
import { type Fault, type GivenRemedies, remediesOf } from '../../fault/remedy.ts';
import type { Evidence } from '../../runtime/evidence.ts';
import type { RunPlan } from '../../runtime/plan.ts';
import type { RunResult, RuntimeFailure } from '../../runtime/runtime.ts';
import { limitText } from '../../wording/durationText.ts';
import { type ContainerPath, isContainerPath } from '../../task/containerPath.ts';
import type { Task } from '../../task/task.ts';
import { reportFile, TRACE_OUT_FOLDER } from '../plan/containerLayout.ts';
import { type PlanOptions, planRun } from '../plan/plan.ts';
import { argumentsForOne, nodeIdOf, runnerCommand } from '../tests/pytestCommand.ts';
import { HOME } from '../trace/shellState.ts';
import type { SolutionState } from '../plan/solution.ts';
import { collectCases } from '../tests/testCases.ts';
import { testFilesOf } from '../plan/testFiles.ts';
import type { Gate, TestCase } from '../verdict/verdict.ts';

/** What to run: all tests of a gate, or one case by the name that a report gave it. */
export type LookTarget =
  | { readonly kind: 'file'; readonly gate: Gate }
  | { readonly kind: 'case'; readonly gate: Gate; readonly name: string };

/** Why there can be no quick look, for a person. */
export interface LookRefusal extends Fault {
  readonly kind: 'refused';
}

export type LookPlan = { readonly kind: 'planned'; readonly plan: RunPlan } | LookRefusal;

/** What was seen. No reward, no gates. */
export interface Look {
  readonly kind: 'looked';
  readonly state: 'passed' | 'failed' | 'errored';
  /** One sentence. */
  readonly message: string;
  readonly cases: readonly TestCase[];
  /** What the runner printed, bounded. */
  readonly output: string;
  /** Milliseconds that the runner took. */
  readonly durationMs: number | undefined;
}

export type LookResult =
  | Look
  | LookRefusal
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

/** What to look at: a part of the tests, over this solution. */
export interface LookRequest {
  readonly task: Task;
  readonly solution: SolutionState;
  readonly target: LookTarget;
  readonly options: Omit<PlanOptions, 'runGoldScript' | 'trace'>;
}

const VERIFY_AGAIN = 'Verify the task instead.';

/**
 * Plans it: image, files, user, limits and variables as for a run; the command is the runner's own.
 * @param startedBy what is started in place of the runner's own words
 */
export function planQuickLook(
  { task, solution, target, options }: LookRequest,
  startedBy: (words: readonly string[]) => readonly string[] = (words) => words,
): LookPlan {
  const { gate } = target;
  if (gate.kind !== 'tests') return refusal(`"${gate.title}" does not run tests.`);
  if (gate.launch === undefined)
    return refusal(
      `How test.sh starts the tests of line ${gate.line} was not seen yet.`,
      'Verify once; a quick look starts them in the same way.',
    );
  const runner = runnerCommand(gate.launch.words);
  if (!runner)
    return refusal(`The tests of line ${gate.line} are run by something other than pytest or unittest.`);
  const { runner: name, start, args } = runner;
  const planned = planRun(task, solution, { ...options, trace: false });
  if (planned.kind !== 'planned') return refusal(planned.message, planned.remedies);
  let words = gate.launch.words;
  if (target.kind === 'case') {
    if (name === 'unittest') return refusal('unittest leaves no report from which one case could be named.');
    const nodeId = nodeIdOf(target.name, args, testFilesOf(task));
    if (nodeId === undefined) return refusal(`No test file of the task fits the name ${target.name}.`);
    words = [...start, ...argumentsForOne(args, nodeId)];
  }
  const report = name === 'pytest' ? [`--junitxml=${reportFile(gate.line)}`] : [];
  const { plan } = planned;
  const { verifier } = plan;
  return {
    kind: 'planned',
    plan: {
      ...plan,
      verifier: {
        ...verifier,
        command: commandIn(gate.launch.folder, startedBy([...words, ...report])),
        env: { ...verifier.env, ...gate.launch.env },
        ...folderOf(gate.launch.folder, verifier.workdir ?? plan.image.layout.workdir),
        emptied: [...verifier.emptied, TRACE_OUT_FOLDER],
      },
      collected: [TRACE_OUT_FOLDER],
    },
  };
}

/** Reads what a planned look left behind. */
export function judgeQuickLook(task: Task, target: LookTarget, evidence: Evidence): Look {
  const { end, output } = evidence.verifier;
  const reports = evidence.collected.flatMap((file) =>
    file.path.endsWith('.xml') ? [{ file, line: target.gate.line }] : [],
  );
  const solution = task.family.solution.map(({ path }) => path);
  const { cases } = collectCases(reports, solution, testFilesOf(task), new Set());
  const seen = { kind: 'looked', cases, output, durationMs: evidence.clocks.verify } as const;
  const bad = cases.filter(({ state }) => state === 'failed' || state === 'errored').length;
  switch (end.how) {
    case 'timed-out':
      return {
        ...seen,
        state: 'errored',
        message: `Stopped at the time limit of ${limitText(end.afterMs)}.`,
      };
    case 'killed':
      return {
        ...seen,
        state: 'errored',
        message: end.outOfMemory ? 'Killed: the container ran out of memory.' : `Killed by ${end.signal}.`,
      };
    case 'cannot-start':
      return { ...seen, state: 'errored', message: `Could not be started: ${end.message}` };
    case 'exited':
      if (bad > 0) return { ...seen, state: 'failed', message: `${bad} of ${cases.length} failed.` };
      if (end.code === 0)
        return {
          ...seen,
          state: 'passed',
          message:
            cases.length === 0 ? 'The test command succeeded.' : `${cases.length} of ${cases.length} passed.`,
        };
      return { ...seen, ...withoutCases(target, end.code) };
  }
}

/** pytest: 4 is a usage error, as for a name that it does not find; 5 means no tests. Source: pytest docs, "Exit codes". */
function withoutCases(target: LookTarget, code: number): Pick<Look, 'state' | 'message'> {
  if (target.kind === 'case' && (code === 4 || code === 5))
    return {
      state: 'errored',
      message: `There is no test ${target.name} any more, as far as pytest finds it.`,
    };
  const runner = runnerCommand(target.gate.launch?.words ?? [])?.runner;
  if (runner === 'unittest' && code === 1) return { state: 'failed', message: 'unittest reported failures.' };
  return { state: 'errored', message: `The runner ended with status ${code} and no result.` };
}

/** What the run of a planned look came to. */
export function lookOf(task: Task, target: LookTarget, result: RunResult): Exclude<LookResult, LookRefusal> {
  return result.kind === 'ended' ? judgeQuickLook(task, target, result.evidence) : result;
}

/** bash finds programs by the variables that the script had set, and knows words such as `command`. */
function commandIn(folder: string | undefined, words: readonly string[]): string[] {
  const below = folder === undefined ? undefined : belowHome(folder);
  if (below === undefined) return ['bash', '-c', '"$@"', 'quick-look', ...words];
  return ['bash', '-c', 'cd -- ~/"$1" && shift && "$@"', 'quick-look', below, ...words];
}

/** The part of a folder after the home folder, which only the container knows; undefined for any other. */
function belowHome(folder: string): string | undefined {
  const [first, ...rest] = folder.split('/');
  return first === HOME ? rest.join('/') : undefined;
}

function folderOf(folder: string | undefined, workdir: string): { readonly workdir?: ContainerPath } {
  if (folder === undefined || belowHome(folder) !== undefined) return {};
  const resolved = posix.resolve(workdir, folder);
  return isContainerPath(resolved) ? { workdir: resolved } : {};
}

function refusal(message: string, remedies: GivenRemedies = VERIFY_AGAIN): LookRefusal {
  return { kind: 'refused', message, remedies: remediesOf(remedies) };
}
