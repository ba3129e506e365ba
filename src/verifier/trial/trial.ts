/**
 * A trial: one test case, or the tests of one gate, run alone as the verifier ran them. It gives no verdict: the rest
 * of `test.sh` does not run, and no reward is read. Pure: a runtime runs the plan.
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
export type TrialTarget =
  | { readonly kind: 'file'; readonly gate: Gate }
  | { readonly kind: 'case'; readonly gate: Gate; readonly name: string };

/** Why a trial is not possible. */
export interface TrialRefusal extends Fault {
  readonly kind: 'refused';
}

export type TrialPlan = { readonly kind: 'planned'; readonly plan: RunPlan } | TrialRefusal;

/** The result of a trial: no reward, no gates. */
export interface TrialReport {
  readonly kind: 'ended';
  readonly state: 'passed' | 'failed' | 'errored';
  /** One sentence. */
  readonly message: string;
  readonly cases: readonly TestCase[];
  /** What the runner printed, bounded. */
  readonly output: string;
  /** Milliseconds that the runner took. */
  readonly durationMs: number | undefined;
}

export type TrialResult =
  | TrialReport
  | TrialRefusal
  | { readonly kind: 'failed'; readonly failure: RuntimeFailure }
  | { readonly kind: 'cancelled' };

/** Which tests to run, over which solution. */
export interface TrialRequest {
  readonly task: Task;
  readonly solution: SolutionState;
  readonly target: TrialTarget;
  readonly options: Omit<PlanOptions, 'oracle' | 'trace'>;
}

const VERIFY_AGAIN = 'Verify the task instead.';

/**
 * Plans a trial: image, files, user, limits and variables as for a run; the command is the runner's own.
 * @param wrapCommand changes the runner's words, such as to add a debugger
 */
export function planTrial(
  { task, solution, target, options }: TrialRequest,
  wrapCommand: (words: readonly string[]) => readonly string[] = (words) => words,
): TrialPlan {
  const { gate } = target;
  if (gate.kind !== 'tests') return refusal(`"${gate.title}" does not run tests.`);
  if (gate.launch === undefined)
    return refusal(
      `No run has shown yet how test.sh starts the tests at line ${gate.line}.`,
      'Verify once; a trial starts them in the same way.',
    );
  const runner = runnerCommand(gate.launch.words);
  if (!runner)
    return refusal(`The tests at line ${gate.line} are run by something other than pytest or unittest.`);
  const { runner: name, start, args } = runner;
  const planned = planRun(task, solution, { ...options, trace: false });
  if (planned.kind !== 'planned') return refusal(planned.message, planned.remedies);
  let words = gate.launch.words;
  if (target.kind === 'case') {
    if (name === 'unittest')
      return refusal('unittest writes no report, so one of its tests cannot be run alone.');
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
        command: commandIn(gate.launch.folder, wrapCommand([...words, ...report])),
        env: { ...verifier.env, ...gate.launch.env },
        ...workdirOf(gate.launch.folder, verifier.workdir ?? plan.image.layout.workdir),
        emptied: [...verifier.emptied, TRACE_OUT_FOLDER],
      },
      collected: [TRACE_OUT_FOLDER],
    },
  };
}

/** Judges the evidence of a trial. */
export function judgeTrial(task: Task, target: TrialTarget, evidence: Evidence): TrialReport {
  const { end, output } = evidence.verifier;
  const reports = evidence.collected.flatMap((file) =>
    file.path.endsWith('.xml') ? [{ file, line: target.gate.line }] : [],
  );
  const solution = task.family.solution.map(({ path }) => path);
  const { cases } = collectCases(reports, solution, testFilesOf(task), new Set());
  const report = { kind: 'ended', cases, output, durationMs: evidence.clocks.verify } as const;
  const bad = cases.filter(({ state }) => state === 'failed' || state === 'errored').length;
  switch (end.how) {
    case 'timed-out':
      return {
        ...report,
        state: 'errored',
        message: `Stopped at the time limit of ${limitText(end.afterMs)}.`,
      };
    case 'killed':
      return {
        ...report,
        state: 'errored',
        message: end.outOfMemory ? 'Killed: the container ran out of memory.' : `Killed by ${end.signal}.`,
      };
    case 'cannot-start':
      return { ...report, state: 'errored', message: `Could not be started: ${end.message}` };
    case 'exited':
      if (bad > 0) return { ...report, state: 'failed', message: `${bad} of ${cases.length} failed.` };
      if (end.code === 0)
        return {
          ...report,
          state: 'passed',
          message:
            cases.length === 0 ? 'The test command succeeded.' : `${cases.length} of ${cases.length} passed.`,
        };
      return { ...report, ...outcomeWithoutCases(target, end.code) };
  }
}

/** pytest: 4 is a usage error, as for a name that it does not find; 5 means no tests. Source: pytest docs, "Exit codes". */
function outcomeWithoutCases(target: TrialTarget, code: number): Pick<TrialReport, 'state' | 'message'> {
  if (target.kind === 'case' && (code === 4 || code === 5))
    return {
      state: 'errored',
      message: `pytest no longer finds the test ${target.name}.`,
    };
  const runner = runnerCommand(target.gate.launch?.words ?? [])?.runner;
  if (runner === 'unittest' && code === 1) return { state: 'failed', message: 'unittest reported failures.' };
  return { state: 'errored', message: `The runner ended with status ${code} and no result.` };
}

/** The result of the run of a planned trial. */
export function trialResult(
  task: Task,
  target: TrialTarget,
  result: RunResult,
): Exclude<TrialResult, TrialRefusal> {
  return result.kind === 'ended' ? judgeTrial(task, target, result.evidence) : result;
}

/** Runs the words in bash, which finds programs by the script's `PATH` and knows builtins such as `command`. */
function commandIn(folder: string | undefined, words: readonly string[]): string[] {
  const below = folder === undefined ? undefined : pathBelowHome(folder);
  if (below === undefined) return ['bash', '-c', '"$@"', 'trial', ...words];
  return ['bash', '-c', 'cd -- ~/"$1" && shift && "$@"', 'trial', below, ...words];
}

/** The part of a folder after the home folder, which only the container knows; undefined for any other. */
function pathBelowHome(folder: string): string | undefined {
  const [first, ...rest] = folder.split('/');
  return first === HOME ? rest.join('/') : undefined;
}

function workdirOf(folder: string | undefined, workdir: string): { readonly workdir?: ContainerPath } {
  if (folder === undefined || pathBelowHome(folder) !== undefined) return {};
  const resolved = posix.resolve(workdir, folder);
  return isContainerPath(resolved) ? { workdir: resolved } : {};
}

function refusal(message: string, remedies: GivenRemedies = VERIFY_AGAIN): TrialRefusal {
  return { kind: 'refused', message, remedies: remediesOf(remedies) };
}
