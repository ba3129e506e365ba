/** Gives each gate of a script its state and the reason for it. Pure. */
import { counted } from '../../wording/counted.ts';
import { limitText } from '../../wording/durationText.ts';
import { joinWords } from '../../wording/joinWords.ts';
import { shortened } from '../../wording/shortened.ts';
import type { FoundGate } from '../gates/findGates.ts';
import { whyNotRun, type GateEvidence, type GateJudgement, refusingLine } from './gateEvidence.ts';
import { gateTitle, subjectName } from './gateTitles.ts';
import { casesOf, judgeTests } from './judgeTests.ts';
import { findError } from '../tests/locations.ts';
import type { Execution } from '../trace/replay.ts';
import type { Gate, GateState } from '../verdict/verdict.ts';

const MOST_COMMAND = 300;
const MOST_NAME = 60;
const MOST_NAMES = 5;

export function judgeGate(gate: FoundGate, evidence: GateEvidence): Gate {
  const { leaf } = gate.placed;
  const runs = evidence.runsOf.get(leaf.id) ?? [];
  // In a loop over files the gate checks all of them, so none is named.
  const found: FoundGate = gate.kind === 'exists' && runs.length > 1 ? { ...gate, path: undefined } : gate;
  const last = runs.at(-1);
  const judged = last ? judgeRuns(found, runs, last, evidence) : judgeUntraced(found, evidence);
  const command = last?.text ?? leaf.text;
  return {
    id: `${found.kind}@${leaf.line}`,
    kind: found.kind,
    title: gateTitle(found, evidence.solution),
    decisive: false,
    line: leaf.line,
    endLine: leaf.endLine,
    command: shortened(command, MOST_COMMAND),
    ...(last?.status === undefined ? {} : { status: last.status }),
    runs: runs.length,
    ...judged,
  };
}

/** Judges a gate that the trace does not show; {@link markDecisive} then names the gate that came first. */
function judgeUntraced(found: FoundGate, evidence: GateEvidence): GateJudgement {
  const { executions, untracedFrom } = evidence;
  if (executions.length === 0)
    return { state: 'not-reached', message: 'Not reached: the script did not run.' };
  if (untracedFrom === undefined || found.placed.leaf.line < untracedFrom)
    return { state: 'not-reached', message: 'Not reached.' };
  if (found.kind === 'tests' && casesOf(found, evidence).length > 0) return judgeTests(found, [], evidence);
  return {
    state: 'not-reached',
    message: `Not seen: the script switches its trace off at line ${untracedFrom}.`,
  };
}

function judgeRuns(
  found: FoundGate,
  runs: readonly Execution[],
  last: Execution,
  evidence: GateEvidence,
): GateJudgement {
  if (last.isLast && evidence.end.how === 'timed-out')
    return {
      state: 'errored',
      message: `Was still running when the time limit of ${limitText(evidence.end.afterMs)} ended the run.`,
    };
  if (last.isLast && evidence.end.how === 'killed')
    return {
      state: 'errored',
      message: evidence.end.outOfMemory
        ? 'Was killed: the container ran out of memory.'
        : `Was killed by ${evidence.end.signal}.`,
    };
  if (found.kind === 'tests') return judgeTests(found, runs, evidence);
  const unrun =
    found.kind === 'edited' || found.kind === 'exists' ? undefined : whyNotRun(last, evidence.output);
  if (unrun !== undefined) return { state: 'errored', message: unrun };
  if (
    (found.kind === 'edited' || found.kind === 'matches-gold') &&
    last.status !== undefined &&
    last.status > 1
  )
    return { state: 'errored', message: 'Could not compare: one of the two files is missing or unreadable.' };
  if (found.kind === 'check' && found.readings.length > 0) {
    const refused = refusingLine(found.readings, evidence);
    return refused === undefined
      ? { state: 'passed', message: 'The script continued.' }
      : {
          state: 'failed',
          message: `The script did not continue from line ${refused}, where it reads this result.`,
        };
  }
  const failures = runs.filter((run) => !passes(found, run, evidence));
  const state: GateState = failures.length === 0 ? 'passed' : 'failed';
  const base = judgementOf(found, state, evidence);
  return runs.length > 1 && failures.length > 0
    ? {
        ...base,
        message: `Failed ${failures.length} of ${runs.length} times${failedRunWords(failures, runs)}.`,
      }
    : base;
}

/** Names the runs of one command that failed by the words that differ between runs; empty when none differ. */
function failedRunWords(failures: readonly Execution[], runs: readonly Execution[]): string {
  if (failures.length === runs.length) return '';
  const differing = new Set<number>();
  for (const { words } of runs)
    for (const [index, word] of words.entries()) if (word !== runs[0]?.words[index]) differing.add(index);
  const names = failures.map(({ words }) =>
    shortened(words.filter((_, index) => differing.has(index)).join(' '), MOST_NAME),
  );
  return names.includes('') ? '' : `, with ${joinWords(names, { most: MOST_NAMES })}`;
}

function passes(found: FoundGate, run: Execution, evidence: GateEvidence): boolean {
  if (run.succeeded !== undefined) return (found.passesOn === 'zero') === run.succeeded;
  // The trace does not show the status, but it shows what ran next.
  return !run.isLast || (evidence.reward ?? 0) > 0;
}

function judgementOf(found: FoundGate, state: GateState, evidence: GateEvidence): GateJudgement {
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
      const places = hunks === undefined ? '' : ` in ${counted(hunks, 'place')}`;
      return { state, message: `${name} differs from the gold${places}.`, ...atTop };
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
      const printedError = lastError(evidence.output);
      const hidden = found.kind === 'compiles' ? 'does not compile' : 'cannot be imported';
      return { state, message: printedError ?? `${name} ${hidden}; the script does not show why.`, ...atTop };
    }
    case 'check':
      return { state, message: passed ? 'The script continued.' : 'The script did not continue from here.' };
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

/** Marks the gate that decided the reward: the last one that failed or, for a full reward, the last one that passed. */
export function markDecisive(
  gates: readonly Gate[],
  found: readonly FoundGate[],
  evidence: GateEvidence,
): Gate[] {
  const lastRun = new Map(
    gates.map((gate, at) => [gate, evidence.runsOf.get(found[at]?.placed.leaf.id ?? -1)?.at(-1)?.at ?? -1]),
  );
  const wanted = (gate: Gate): boolean =>
    (evidence.reward ?? 0) >= 1
      ? gate.state === 'passed'
      : gate.state === 'failed' || gate.state === 'errored';
  const decisive = gates
    .filter(wanted)
    .sort((a, b) => (lastRun.get(a) ?? -1) - (lastRun.get(b) ?? -1))
    .at(-1);
  const barrier = decisive && decisive.state !== 'passed' ? decisive : undefined;
  return gates.map((gate) => {
    if (gate === decisive) return { ...gate, decisive: true };
    return gate.state === 'not-reached' && gate.message === 'Not reached.' && barrier
      ? { ...gate, message: `Not reached: the gate at line ${barrier.line} came first.` }
      : gate;
  });
}
