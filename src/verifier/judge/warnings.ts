/** Warnings: what a person must know about a verdict besides its gates. */
import type { Evidence } from '../../runtime/evidence.ts';
import { joinWords } from '../../wording/joinWords.ts';
import { shortened } from '../../wording/shortened.ts';
import type { RewardReading } from './reward.ts';
import type { Script } from '../script/script.ts';
import type { Trace } from '../trace/trace.ts';
import type { Gate, TestCase, Warning } from '../verdict/verdict.ts';

export interface WarningInput {
  readonly evidence: Evidence;
  readonly gates: readonly Gate[];
  readonly cases: readonly TestCase[];
  readonly reading: RewardReading;
  readonly reward: number | undefined;
  readonly reportedLines: ReadonlySet<number>;
  readonly trace: Trace;
  /** Line at which the script switched its trace off. */
  readonly untracedFrom: number | undefined;
  readonly script: Script | undefined;
  readonly traced: boolean;
}

export function warningsOf(input: WarningInput): Warning[] {
  return [
    ...contradictionWarnings(input),
    ...fallbackWarnings(input),
    ...missingReportWarnings(input),
    ...oracleWarnings(input),
    ...rewardWarnings(input),
    ...input.evidence.notes,
    ...incompleteWarnings(input),
  ];
}

/** Warns when gates and reward disagree: then the verifier is broken or was cheated. Gates never change the reward. */
function contradictionWarnings({ gates, reward, trace }: WarningInput): Warning[] {
  if (reward === undefined || trace.entries.length === 0) return [];
  const failed = gates.find(
    (gate) => gate.state === 'failed' && gate.kind !== 'check' && gate.kind !== 'matches-gold',
  );
  if (reward >= 1 && failed)
    return [
      {
        code: 'contradiction',
        message: `The reward is ${reward}, yet the gate “${failed.title}” failed (${failed.message.replace(/\.$/, '')}). Either the verifier is broken or the solution cheats.`,
      },
    ];
  const judged = gates.filter((gate) => gate.state !== 'not-reached');
  if (
    reward <= 0 &&
    judged.length > 0 &&
    judged.length === gates.length &&
    judged.every((gate) => gate.state === 'passed')
  )
    return [
      {
        code: 'contradiction',
        message: `The reward is ${reward}, yet every gate passed. The verifier decides by something that the gates do not show.`,
      },
    ];
  return [];
}

function fallbackWarnings({ gates, reward }: WarningInput): Warning[] {
  const tests = gates.find((gate) => gate.kind === 'tests' && gate.state === 'errored');
  if (!tests || reward === undefined || reward < 1) return [];
  return [
    {
      code: 'fallback',
      message:
        'The tests could not run, and the verifier fell back to its basic checks: this reward says little about the fix.',
    },
  ];
}

/** Warns when a runner ends with 0 but leaves no report: something else ended it. */
function missingReportWarnings({ gates, reportedLines, traced, trace }: WarningInput): Warning[] {
  if (!traced || trace.entries.length === 0) return [];
  const silent = gates.find(
    (gate) =>
      gate.kind === 'tests' &&
      gate.state === 'passed' &&
      /\bpytest\b/.test(gate.command) &&
      !reportedLines.has(gate.line),
  );
  return silent
    ? [
        {
          code: 'no-report',
          message: `pytest at line ${silent.line} succeeded but left no report: something ended it early, or it is not pytest.`,
        },
      ]
    : [];
}

function oracleWarnings({ evidence }: WarningInput): Warning[] {
  const { oracle: run } = evidence;
  if (!run || (run.end.how === 'exited' && run.end.code === 0)) return [];
  const how =
    run.end.how === 'exited'
      ? `ended with status ${run.end.code}`
      : run.end.how === 'timed-out'
        ? 'was stopped at its time limit'
        : run.end.how === 'killed'
          ? `was killed by ${run.end.signal}`
          : `could not be started (${run.end.message})`;
  const lastLine = run.output.trim().split('\n').at(-1);
  return [
    {
      code: 'oracle-failed',
      message: `The gold's solve.sh ${how}${lastLine === undefined || lastLine === '' ? '' : `: ${shortened(lastLine, 200)}`}. The verdict is about what it left behind.`,
    },
  ];
}

function rewardWarnings({ reading: read, evidence }: WarningInput): Warning[] {
  const ambiguous: Warning[] =
    read.kind === 'reward' && read.ambiguousKey !== undefined
      ? [
          {
            code: 'ambiguous-reward',
            message: `reward.json holds several numbers and none is called “reward”: “${read.ambiguousKey}”, the first, is shown.`,
          },
        ]
      : [];
  const { end } = evidence.verifier;
  const late: Warning[] =
    end.how === 'timed-out' && read.kind === 'reward'
      ? [
          {
            code: 'reward-before-timeout',
            message: `A reward of ${read.reward} had been written before the time limit; it does not count, as under Harbor.`,
          },
        ]
      : [];
  return [...ambiguous, ...late];
}

function incompleteWarnings({
  evidence,
  gates,
  trace,
  script,
  traced,
  untracedFrom,
}: WarningInput): Warning[] {
  const warnings: Warning[] = [];
  if (evidence.collectionCut)
    warnings.push({
      code: 'collection-cut',
      message: 'The run left more files than can be collected: some are missing or shortened.',
    });
  if (trace.cutBefore !== undefined)
    warnings.push({
      code: 'trace-cut',
      message: 'The trace was too long and its middle was left out, so counts of repeated gates may be low.',
    });
  if (untracedFrom !== undefined && gates.some(({ line, runs }) => runs === 0 && line >= untracedFrom))
    warnings.push({
      code: 'trace-off',
      message: `test.sh switches its trace off at line ${untracedFrom}: gates after it are not seen.`,
    });
  if (traced && script && trace.entries.length > 0 && script.errorLines.length > 0)
    warnings.push({
      code: 'script-not-understood',
      message: `test.sh could not be read at line ${joinWords(script.errorLines.map(String), { most: 3 })}: gates near there may be missing.`,
    });
  return warnings;
}
