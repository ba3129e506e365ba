/** Turns evidence into a verdict. Pure: the same evidence always gives the same verdict. */
import { type GateEvidence, runsByLeaf } from './gateEvidence.ts';
import type { FoundGate } from '../gates/findGates.ts';
import { judgeGate, markDecisive } from './judgeGates.ts';
import type { JudgeInput } from './judgeInput.ts';
import { launchesOf } from '../trace/launch.ts';
import { allOutput, verifierOutput, readPassRatio, traceOf } from './printed.ts';
import { readVerifier, rewardLineOf, type TracedVerifier } from '../gates/readVerifier.ts';
import type { Execution } from '../trace/replay.ts';
import { readReward } from './reward.ts';
import { collectCases, findReports } from '../tests/testCases.ts';
import type { Trace } from '../trace/trace.ts';
import { whyUnscored } from './unscored.ts';
import { type Gate, type RanVerdict, VERDICT_VERSION } from '../verdict/verdict.ts';
import { warningsOf } from './warnings.ts';
import { handOverGate, stoppedGate, wholeScriptGate } from './wholeGates.ts';

export function judge(input: JudgeInput): RanVerdict {
  const { evidence } = input;
  const { end } = evidence.verifier;
  const printed = verifierOutput(evidence);
  const reading = readReward(evidence.collected, printed.text);
  const reward = end.how !== 'timed-out' && reading.kind === 'reward' ? reading.reward : undefined;
  const trace = traceOf(evidence);
  const readable = input.script && input.script.statements.length > 0 ? input.script : undefined;
  const seen =
    readable && trace.entries.length > 0 ? readVerifier(readable, trace, end, input.paths) : undefined;
  const executions = seen?.replayed.executions ?? [];
  const reports = findReports(evidence.collected, executions);
  const reportOnlyLines = new Set(seen?.found.reports.map(({ leaf }) => leaf.line) ?? []);
  const { cases, reportedLines } = collectCases(reports, input.paths.solution, input.tests, reportOnlyLines);
  const gateEvidence: GateEvidence = {
    executions,
    runsOf: runsByLeaf(executions),
    untracedFrom: seen?.untracedFrom,
    end,
    reward,
    output: allOutput(evidence),
    solution: input.paths.solution,
    cases,
    reportedLines,
    goldHunks: input.goldHunks,
  };
  const gates = seen ? scriptGates(seen, gateEvidence, trace) : wholeScriptGate(input, gateEvidence);
  const rewardLine = seen ? rewardLineOf(seen, end) : undefined;
  const passRatio = readPassRatio(evidence.collected);
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
      untracedFrom: seen?.untracedFrom,
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
  } satisfies Omit<RanVerdict, 'outcome' | 'reward' | 'rewards' | 'reason' | 'message' | 'remedies'>;
  if (reading.kind === 'reward' && reward !== undefined)
    return { outcome: 'scored', reward, rewards: { ...reading.rewards }, ...facts };
  return {
    outcome: 'unscored',
    ...whyUnscored(input, reading, gateEvidence.executions, printed.text),
    ...facts,
  };
}

function scriptGates(seen: TracedVerifier, evidence: GateEvidence, trace: Trace): Gate[] {
  const lastRunOf = ({ kind, placed }: FoundGate): Execution | undefined =>
    kind === 'tests' ? evidence.runsOf.get(placed.leaf.id)?.at(-1) : undefined;
  const launches = launchesOf(
    seen.found.gates.flatMap((found) => lastRunOf(found) ?? []),
    evidence.executions,
    trace.entries,
  );
  const judged = seen.found.gates.map((found) => {
    const last = lastRunOf(found);
    const launch = last && launches.get(last);
    const gate = judgeGate(found, evidence);
    return { found, gate: launch ? { ...gate, launch } : gate };
  });
  const kept = judged.filter(({ gate }) => gate.state === 'failed' || !isSetUp(gate));
  const marked = markDecisive(
    kept.map(({ gate }) => gate),
    kept.map(({ found }) => found),
    evidence,
  );
  const stopped = stoppedGate(seen, evidence);
  if (stopped && !marked.some((gate) => gate.line === stopped.line)) return withDecisive(marked, stopped);
  if (marked.some(({ state }) => state === 'failed' || state === 'errored')) return marked;
  const handedOver = handOverGate(seen, evidence, marked.length === 0);
  return handedOver ? withDecisive(marked, handedOver) : marked;
}

function withDecisive(gates: readonly Gate[], decisive: Gate): Gate[] {
  return [...gates.map((gate) => ({ ...gate, decisive: false })), decisive].sort((a, b) => a.line - b.line);
}

/** Whether a gate only guards the script's own setup, as `cd /app || exit` does; it is shown only when it fails. */
function isSetUp({ kind, command }: Gate): boolean {
  return (
    kind === 'check' &&
    /^(cd|mkdir|pushd|popd|source|\.|export|touch|chmod|mktemp|read|command|which|type)\b/.test(command)
  );
}
