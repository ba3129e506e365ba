/** Turns evidence into a verdict. A pure function: the same evidence gives the same verdict, for ever. */
import type { CollectedFile, Evidence } from '../runtime/evidence.ts';
import { findGates, type FoundGates } from './findGates.ts';
import type { GatePaths } from './gatePaths.ts';
import { type GateEvidence, judgeGate, markDecisive, seconds } from './judgeGates.ts';
import { placeLeaves } from './contexts.ts';
import { LOGS_FOLDER, readReward, type RewardReading } from './reward.ts';
import { type Execution, replay, type Replay } from './replay.ts';
import { leavesOf, type Script } from './script.ts';
import { collectCases, findReports } from './testCases.ts';
import { parseTrace, type Trace } from './trace.ts';
import { TRACE_FILE } from './traceScript.ts';
import type { Gate, RanVerdict, UnscoredReason } from './verdict.ts';
import { VERDICT_VERSION } from './verdict.ts';
import { warningsOf } from './warnings.ts';

type ContainerPath = `/${string}`;

export interface JudgeInput {
  readonly evidence: Evidence;
  /** The parsed `test.sh`; undefined when it is not bash. */
  readonly script: Script | undefined;
  /** First line of `test.sh`. */
  readonly shebang: string;
  readonly paths: GatePaths & { readonly solution: readonly ContainerPath[] };
  /** Files under `/tests`. */
  readonly tests: readonly ContainerPath[];
  readonly traced: boolean;
  readonly goldHunks: number | undefined;
  readonly holdsFor: { readonly task: string; readonly solution: string };
}

/** How much of what `test.sh` printed a verdict keeps. */
const MOST_OUTPUT = 64 * 1024;
const OUTPUT_FILE = `${LOGS_FOLDER}/test-stdout.txt`;

export function judge(input: JudgeInput): RanVerdict {
  const { evidence } = input;
  const { end } = evidence.verifier;
  const reading = readReward(evidence.collected);
  const reward = end.how !== 'timed-out' && reading.kind === 'reward' ? reading.reward : undefined;
  const trace = traceOf(evidence);
  const seen = input.script && trace.entries.length > 0 ? readScript(input, input.script, trace) : undefined;
  const printed = printedBy(evidence);
  const reports = findReports(evidence.collected, seen?.replayed.executions ?? []);
  const leftOut = new Set(seen?.found.reports.map(({ leaf }) => leaf.line) ?? []);
  const { cases, reportedLines } = collectCases(reports, input.paths.solution, input.tests, leftOut);
  const gateEvidence: GateEvidence = {
    executions: seen?.replayed.executions ?? [],
    end,
    reward,
    output: everythingPrinted(evidence),
    solution: input.paths.solution,
    cases,
    reportedLines,
    goldHunks: input.goldHunks,
  };
  const gates = seen ? scriptGates(seen, gateEvidence, input.script) : wholeScriptGate(input, gateEvidence);
  const rewardLine = seen ? rewardLineOf(seen) : undefined;
  const passRatio = ratioOf(evidence.collected);
  const facts = {
    version: VERDICT_VERSION,
    gates,
    cases: [...cases],
    warnings: warningsOf({
      evidence,
      gates,
      cases,
      reading,
      reward,
      reportedLines,
      trace,
      script: input.script,
      traced: input.traced,
    }),
    clocks: evidence.clocks,
    ...(rewardLine === undefined ? {} : { rewardLine }),
    ...(passRatio === undefined ? {} : { passRatio }),
    output: printed,
    traced: trace.entries.length > 0,
    runtime: {
      kind: evidence.runtime.kind,
      name: evidence.runtime.name,
      platform: evidence.runtime.platform,
    },
    holdsFor: { ...input.holdsFor, image: evidence.runtime.image },
  } satisfies Omit<RanVerdict, 'outcome' | 'reward' | 'rewards' | 'reason' | 'message' | 'nextStep'>;
  if (reading.kind === 'reward' && reward !== undefined)
    return { outcome: 'scored', reward, rewards: { ...reading.rewards }, ...facts };
  return {
    outcome: 'unscored',
    ...whyUnscored(input, reading, gateEvidence.executions, printed.text),
    ...facts,
  };
}

interface Seen {
  readonly found: FoundGates;
  readonly replayed: Replay;
}

/** Reads the script twice: once to lay the trace over it, then again with the words as they ran. */
function readScript(input: JudgeInput, script: Script, trace: Trace): Seen {
  const { end } = input.evidence.verifier;
  const trapLeaves = script.exitTrap ? leavesOf(script.exitTrap.statements) : [];
  const replayed = replay(
    placeLeaves(script),
    trace,
    end.how === 'exited' ? end.code : undefined,
    trapLeaves,
  );
  const words = new Map<number, readonly string[]>();
  for (const execution of replayed.executions) words.set(execution.leaf.leaf.id, execution.words);
  return { found: findGates(script, input.paths, (leaf) => words.get(leaf.id)), replayed };
}

function scriptGates(seen: Seen, evidence: GateEvidence, script: Script | undefined): Gate[] {
  const judged = seen.found.gates.map((found) => ({ found, gate: judgeGate(found, evidence) }));
  const kept = judged.filter(({ gate }) => gate.state === 'failed' || !isSetUp(gate));
  const marked = markDecisive(
    kept.map(({ gate }) => gate),
    kept.map(({ found }) => found),
    evidence.executions,
    evidence.reward,
  );
  const stopped = script?.stopsOnError === true ? stoppedBy(seen, evidence) : undefined;
  if (!stopped || marked.some((gate) => gate.line === stopped.line)) return marked;
  const others = marked.map((gate) => ({ ...gate, decisive: false }));
  return [...others, stopped].sort((a, b) => a.line - b.line);
}

/** `cd /app || exit` guards the script itself: worth a line only when it fails. */
function isSetUp({ kind, command }: Gate): boolean {
  return (
    kind === 'check' &&
    /^(cd|mkdir|pushd|popd|source|\.|export|touch|chmod|mktemp|read|command|which|type)\b/.test(command)
  );
}

/** Under `set -e` any command may end the script: the one that did becomes a gate of its own. */
function stoppedBy(seen: Seen, evidence: GateEvidence): Gate | undefined {
  const { end, executions } = evidence;
  const { trapAt } = seen.replayed;
  const last = executions.findLast(({ at }) => trapAt === undefined || at < trapAt);
  if (end.how !== 'exited' || end.code === 0 || last?.leaf.leaf.kind !== 'command') return undefined;
  const { leaf } = last.leaf;
  const program = leaf.words[0]?.text;
  if (
    program === 'exit' ||
    program === 'return' ||
    seen.found.gates.some((gate) => gate.placed.leaf.id === leaf.id)
  )
    return undefined;
  return {
    id: `check@${leaf.line}`,
    kind: 'check',
    title: leaf.text.slice(0, 60),
    state: end.code >= 126 ? 'errored' : 'failed',
    decisive: true,
    line: leaf.line,
    endLine: leaf.endLine,
    command: last.command.slice(0, 300),
    status: end.code,
    runs: 1,
    message: `Ended the script with status ${end.code}, since it runs under set -e.`,
  };
}

/** A verifier that shows no trace has one gate: the script as a whole. */
function wholeScriptGate(input: JudgeInput, evidence: GateEvidence): Gate[] {
  const { end } = evidence;
  const started =
    end.how !== 'cannot-start' && !(end.how === 'exited' && (end.code === 126 || end.code === 127));
  const bad = evidence.cases.filter(({ state }) => state === 'failed' || state === 'errored');
  const at = bad.find((one) => one.at)?.at ?? findPlace(evidence);
  const passed = (evidence.reward ?? 0) >= 1;
  const why =
    input.shebang.startsWith('#!') && !/bash/.test(input.shebang)
      ? ` It is run by ${input.shebang.slice(2).trim()}, which shows no steps.`
      : '';
  return [
    {
      id: 'check@1',
      kind: 'check',
      title: 'test.sh',
      state:
        !started || end.how === 'timed-out' || end.how === 'killed'
          ? 'errored'
          : passed
            ? 'passed'
            : 'failed',
      decisive: true,
      line: 1,
      endLine: 1,
      command: '/tests/test.sh',
      ...(end.how === 'exited' ? { status: end.code } : {}),
      runs: started ? 1 : 0,
      message: !started
        ? 'The script could not be started.'
        : `${bad.length > 0 ? `${bad.length} of ${evidence.cases.length} tests failed.` : passed ? 'Led to the reward.' : 'Did not lead to a reward.'}${why}`,
      ...(at && started && !passed ? { at } : {}),
    },
  ];
}

function findPlace(evidence: GateEvidence) {
  const [first] = evidence.solution;
  return first === undefined ? undefined : { path: first, line: 1 };
}

function traceOf(evidence: Evidence): Trace {
  const file = evidence.collected.find(({ path }) => path === TRACE_FILE);
  return file
    ? parseTrace(decode(file.content), file.tail && decode(file.tail))
    : { entries: [], cutBefore: undefined };
}

function decode(content: CollectedFile['content']): string {
  return 'text' in content ? content.text : Buffer.from(content.base64, 'base64').toString('latin1');
}

function textOf(file: CollectedFile): string {
  return file.tail ? `${decode(file.content)}\n${decode(file.tail)}` : decode(file.content);
}

function printedBy(evidence: Evidence): { text: string; omitted: number } {
  const file = evidence.collected.find(({ path }) => path === OUTPUT_FILE);
  const own = evidence.verifier.output;
  const text = `${file ? textOf(file) : ''}${own}`;
  const cut = Math.max(0, text.length - MOST_OUTPUT);
  const half = MOST_OUTPUT / 2;
  return {
    text: cut === 0 ? text : `${text.slice(0, half)}\n…\n${text.slice(-half)}`,
    omitted: cut + (file?.omitted ?? 0),
  };
}

function everythingPrinted(evidence: Evidence): string {
  const logs = evidence.collected.filter(
    ({ path }) =>
      path.startsWith(`${LOGS_FOLDER}/`) &&
      /\.(txt|log|out|err)$/.test(path) &&
      !/reward|pass_ratio/.test(path),
  );
  return [...logs.map(textOf), evidence.verifier.output].join('\n');
}

function ratioOf(files: readonly CollectedFile[]): number | undefined {
  const file = files.find(({ path }) => path === `${LOGS_FOLDER}/pass_ratio.txt`);
  const value = file ? Number(textOf(file).trim() || 'none') : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function rewardLineOf({ found, replayed }: Seen): number | undefined {
  const writes = new Set(found.rewardWrites.map(({ leaf }) => leaf.id));
  const last = replayed.executions.findLast((execution) => writes.has(execution.leaf.leaf.id));
  if (replayed.trapAt === undefined) return last?.leaf.leaf.line;
  if (last && last.at > replayed.trapAt) return last.leaf.leaf.line;
  const trap = found.placed.find(({ leaf }) => leaf.kind === 'command' && leaf.words[0]?.text === 'trap');
  return trap && /reward/.test(trap.leaf.text) ? trap.leaf.line : last?.leaf.leaf.line;
}

function whyUnscored(
  input: JudgeInput,
  reading: RewardReading,
  executions: readonly Execution[],
  printed: string,
): { reason: UnscoredReason; message: string; nextStep: string } {
  const { end } = input.evidence.verifier;
  const last = executions.at(-1);
  const where = last
    ? ` It was at line ${last.leaf.leaf.line} of test.sh: ${last.command.slice(0, 120)}`
    : '';
  if (end.how === 'timed-out')
    return {
      reason: 'timed-out',
      message: `The verifier was stopped at its time limit of ${seconds(end.afterMs)}.${where}`,
      nextStep:
        'Look for an endless loop in the solution, or raise the limit with --timeout or the setting repairBench.timeout.',
    };
  const cannotStart = startFailure(input, printed);
  if (cannotStart !== undefined && reading.kind === 'none') return { reason: 'cannot-start', ...cannotStart };
  if (end.how === 'killed')
    return {
      reason: 'missing',
      message: `The verifier was killed (${end.outOfMemory ? 'out of memory' : end.signal}) and wrote no readable reward.${where}`,
      nextStep: end.outOfMemory
        ? 'Raise memory_mb in task.toml, or look for what uses so much memory.'
        : 'See the output for what happened just before.',
    };
  const message = reading.kind === 'none' ? reading.message : '';
  const status = end.how === 'exited' && end.code !== 0 ? ` test.sh ended with status ${end.code}.` : '';
  return {
    reason: reading.kind === 'none' ? reading.reason : 'missing',
    message: `${message}${status}${where}`,
    nextStep: 'A verifier should write its reward on every way out. Open test.sh at the marked line.',
  };
}

function startFailure(input: JudgeInput, printed: string): { message: string; nextStep: string } | undefined {
  const { end } = input.evidence.verifier;
  if (end.how === 'cannot-start')
    return {
      message: `The verifier could not be started: ${end.message}`,
      nextStep: 'The image needs bash, and the user and working folder that task.toml names.',
    };
  if (end.how !== 'exited' || (end.code !== 126 && end.code !== 127) || !/\/tests\/test\.sh/.test(printed))
    return undefined;
  if (input.shebang.endsWith('\r'))
    return {
      message:
        'test.sh could not be started: its lines end in CRLF, so the system looks for an interpreter whose name ends in a carriage return.',
      nextStep: 'Save tests/test.sh with LF line endings.',
    };
  return {
    message: `test.sh could not be started: ${printed.trim().split('\n').at(-1) ?? ''}`,
    nextStep: `Check that the interpreter of its first line (${input.shebang || 'none'}) is in the image.`,
  };
}
