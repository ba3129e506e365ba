/** Turns gates found in a script and their executions into gates with a state and a reason. Pure. */
import type { StepEnd } from '../runtime/evidence.ts';
import type { FoundGate } from './findGates.ts';
import { gateTitle, subjectName } from './gateTitles.ts';
import { findError } from './locations.ts';
import type { Execution } from './replay.ts';
import type { Gate, GateState, TestCase } from './verdict.ts';

export interface GateEvidence {
  readonly executions: readonly Execution[];
  /** How `test.sh` ended. */
  readonly end: StepEnd;
  readonly reward: number | undefined;
  /** Everything that was printed to a place we can see. */
  readonly output: string;
  readonly solution: readonly `/${string}`[];
  readonly cases: readonly TestCase[];
  /** Lines of `test.sh` whose runner left a report. */
  readonly reportedLines: ReadonlySet<number>;
  /** Hunks in which the solution differs from the gold, when both are known. */
  readonly goldHunks: number | undefined;
}

type Judged = Pick<Gate, 'state' | 'message'> & Partial<Pick<Gate, 'at'>>;

const MOST_COMMAND = 300;

/** Judges one gate. */
export function judgeGate(gate: FoundGate, evidence: GateEvidence): Gate {
  const { leaf } = gate.placed;
  const runs = evidence.executions.filter((execution) => execution.leaf.leaf.id === leaf.id);
  // In a loop over files a gate is about all of them.
  const found: FoundGate = gate.kind === 'exists' && runs.length > 1 ? { ...gate, path: undefined } : gate;
  const last = runs.at(-1);
  const judged = last ? judgeRuns(found, runs, last, evidence) : notReached(evidence);
  const command = last?.command ?? leaf.text;
  return {
    id: `${found.kind}@${leaf.line}`,
    kind: found.kind,
    title: gateTitle(found, evidence.solution),
    decisive: false,
    line: leaf.line,
    endLine: leaf.endLine,
    command: command.length > MOST_COMMAND ? `${command.slice(0, MOST_COMMAND - 1)}…` : command,
    ...(last?.status === undefined ? {} : { status: last.status }),
    runs: runs.length,
    ...judged,
  };
}

/** Replaced by {@link markDecisive} once it is known which gate stood in the way. */
function notReached(evidence: GateEvidence): Judged {
  const ran = evidence.executions.length > 0;
  return { state: 'not-reached', message: ran ? 'Not reached.' : 'Not reached: the script did not run.' };
}

function judgeRuns(
  found: FoundGate,
  runs: readonly Execution[],
  last: Execution,
  evidence: GateEvidence,
): Judged {
  if (last.last && evidence.end.how === 'timed-out')
    return {
      state: 'errored',
      message: `Was still running when the time limit of ${seconds(evidence.end.afterMs)} ended the run.`,
    };
  if (last.last && evidence.end.how === 'killed')
    return {
      state: 'errored',
      message: evidence.end.outOfMemory
        ? 'Was killed: the container ran out of memory.'
        : `Was killed by ${evidence.end.signal}.`,
    };
  if (found.kind === 'tests') return judgeTests(found, last, evidence);
  if (last.status !== undefined && last.status >= 126 && found.kind !== 'edited' && found.kind !== 'exists')
    return { state: 'errored', message: couldNotRun(last.status, last.words[0] ?? 'The command') };
  if (
    (found.kind === 'edited' || found.kind === 'matches-gold') &&
    last.status !== undefined &&
    last.status > 1
  )
    return { state: 'errored', message: 'Could not compare: one of the two files is missing or unreadable.' };
  const states = runs.map((run) => passes(found, run, evidence));
  const failures = states.filter((passed) => !passed).length;
  const state: GateState = failures === 0 ? 'passed' : 'failed';
  const base = describe(found, state, evidence);
  return runs.length > 1 && failures > 0
    ? { ...base, message: `Failed ${failures} of ${runs.length} times.` }
    : base;
}

function passes(found: FoundGate, run: Execution, evidence: GateEvidence): boolean {
  if (run.succeeded !== undefined) return (found.passesOn === 'zero') === run.succeeded;
  // The trace does not show it: what came after does.
  return !run.last || (evidence.reward ?? 0) > 0;
}

function couldNotRun(status: number, program: string): string {
  if (status === 127) return `${program}: command not found in the image.`;
  if (status === 126) return `${program} could not be executed.`;
  return `${program} was killed by signal ${status - 128}.`;
}

function describe(found: FoundGate, state: GateState, evidence: GateEvidence): Judged {
  const subject = subjectName(found.path, evidence.solution);
  const name = subject === 'the solution' ? 'The solution' : subject;
  const [first] = evidence.solution;
  const top = evidence.solution.find((path) => path === found.path) ?? first;
  const atTop = top === undefined ? {} : { at: { path: top, line: 1 } };
  const passed = state === 'passed';
  switch (found.kind) {
    case 'exists':
      return passed
        ? { state, message: `${name} is there.` }
        : { state, message: `${name} is missing in the container.`, ...atTop };
    case 'edited':
      if (found.partial)
        return passed
          ? { state, message: `The part of ${name} that the script looks at differs from the starter.` }
          : {
              state,
              message: `The part of ${name} that the script looks at is the same as in the starter.`,
              ...atTop,
            };
      return passed
        ? { state, message: `${name} differs from the starter.` }
        : { state, message: `${name} is the same as the starter: nothing was edited.`, ...atTop };
    case 'matches-gold': {
      if (passed) return { state, message: `${name} equals the gold, byte for byte.` };
      const hunks = evidence.goldHunks;
      const much = hunks === undefined ? '' : hunks === 1 ? ' in 1 place' : ` in ${hunks} places`;
      return { state, message: `${name} differs from the gold${much}.`, ...atTop };
    }
    case 'compiles':
    case 'imports': {
      if (passed)
        return {
          state,
          message: found.kind === 'compiles' ? `${name} compiles.` : `${name} can be imported.`,
        };
      const error = findError(evidence.output, evidence.solution);
      if (error) {
        const { message, ...at } = error;
        return { state, message, at };
      }
      const said = lastError(evidence.output);
      const hidden = found.kind === 'compiles' ? 'does not compile' : 'cannot be imported';
      return { state, message: said ?? `${name} ${hidden}; the script does not show why.`, ...atTop };
    }
    case 'check':
      return { state, message: passed ? 'The script went on.' : 'The script did not go on from here.' };
    case 'tests':
      return { state, message: '' };
  }
}

function lastError(output: string): string | undefined {
  return output
    .split(/\r?\n/)
    .filter((line) => /^\w*(Error|Exception)\b/.test(line))
    .at(-1);
}

/** pytest: 1 some failed, 2 interrupted or not collected, 3 internal, 4 usage, 5 none found. Source: pytest docs, "Exit codes". */
function judgeTests(found: FoundGate, last: Execution, evidence: GateEvidence): Judged {
  const cases = evidence.cases.filter(({ gateLine }) => gateLine === last.leaf.leaf.line);
  const bad = cases.filter(({ state }) => state === 'failed' || state === 'errored');
  const ran = cases.filter(({ state }) => state !== 'skipped');
  const isPytest = /\bpytest\b/.test(last.command);
  const { status } = last;
  const at = bad.find((one) => one.at)?.at;
  const place = at ? { at } : {};
  const uncollected = bad.find(({ message }) => message === 'collection failure');
  if (uncollected) {
    const why = uncollected.detail === undefined ? undefined : lastDetail(uncollected.detail);
    return {
      state: 'errored',
      message: `The tests could not be collected${why === undefined ? '' : `: ${why}`}`,
      ...place,
    };
  }
  if (status !== undefined && status >= 126)
    return { state: 'errored', message: couldNotRun(status, last.words[0] ?? 'The runner') };
  if (isPytest && status !== undefined && status >= 2)
    return {
      state: 'errored',
      message:
        status === 5
          ? 'No tests were found.'
          : status === 2
            ? 'The tests could not be collected.'
            : `The runner stopped with status ${status}.`,
      ...place,
    };
  if (bad.length > 0)
    return { state: 'failed', message: `${bad.length} of ${ran.length} failed: ${names(bad)}.`, ...place };
  if (last.succeeded === false) {
    const error = findError(evidence.output, evidence.solution);
    return {
      state: 'failed',
      message: 'The runner reported failures.',
      ...(error ? { at: { path: error.path, line: error.line } } : {}),
    };
  }
  const refused = readingRefuses(found, evidence);
  if (refused !== undefined)
    return {
      state: 'failed',
      message: `The script's own reading of the run, at line ${refused}, does not lead on.`,
    };
  if (last.succeeded === undefined && (evidence.reward ?? 0) <= 0 && cases.length === 0)
    return { state: 'failed', message: 'The run did not lead to a reward.' };
  return {
    state: 'passed',
    message:
      ran.length === 0
        ? 'The runner ended well.'
        : `${ran.length === 1 ? 'The one test' : `All ${ran.length} tests`} passed.`,
  };
}

/** The line where the script's last reading of the runner's output turned away from a reward. */
function readingRefuses(found: FoundGate, evidence: GateEvidence): number | undefined {
  if ((evidence.reward ?? 0) > 0) return undefined;
  const readings = found.readings.flatMap(({ placed, passesOn }) => {
    const run = evidence.executions.filter((execution) => execution.leaf.leaf.id === placed.leaf.id).at(-1);
    return run?.succeeded === undefined
      ? []
      : [{ line: placed.leaf.line, leadsOn: (passesOn === 'zero') === run.succeeded }];
  });
  const last = readings.at(-1);
  return last && !last.leadsOn ? last.line : undefined;
}

function lastDetail(detail: string): string | undefined {
  const line = detail
    .split(/\r?\n/)
    .filter((text) => /^E\s+\S/.test(text))
    .at(-1);
  return line?.replace(/^E\s+/, '');
}

function names(cases: readonly TestCase[]): string {
  const short = cases.map(({ name }) => name.slice(name.lastIndexOf('.') + 1));
  return short.length > 4 ? `${short.slice(0, 4).join(', ')} and ${short.length - 4} more` : short.join(', ');
}

export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

/** Marks the gate that decided the reward: the last that failed, else the last that let the run pass. */
export function markDecisive(
  gates: readonly Gate[],
  found: readonly FoundGate[],
  executions: readonly Execution[],
  reward: number | undefined,
): Gate[] {
  const lastRun = (gate: Gate): number => {
    const leaf = found[gates.indexOf(gate)]?.placed.leaf.id;
    return executions.findLast((execution) => execution.leaf.leaf.id === leaf)?.at ?? -1;
  };
  const wanted = (gate: Gate): boolean =>
    (reward ?? 0) >= 1 ? gate.state === 'passed' : gate.state === 'failed' || gate.state === 'errored';
  const decisive = gates
    .filter(wanted)
    .sort((a, b) => lastRun(a) - lastRun(b))
    .at(-1);
  const barrier = decisive && decisive.state !== 'passed' ? decisive : undefined;
  return gates.map((gate) => {
    if (gate === decisive) return { ...gate, decisive: true };
    return gate.state === 'not-reached' && barrier
      ? { ...gate, message: `Not reached: the gate at line ${barrier.line} came first.` }
      : gate;
  });
}
