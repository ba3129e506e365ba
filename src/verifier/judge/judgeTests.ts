/** Judges a gate that runs tests by its report, its status and how the script reads it. */
import { joinWords } from '../../wording/joinWords.ts';
import type { FoundGate } from '../gates/findGates.ts';
import { whyNotRun, type GateEvidence, type GateJudgement, refusingLine } from './gateEvidence.ts';
import { findError } from '../tests/locations.ts';
import type { Execution } from '../trace/replay.ts';
import type { TestCase } from '../verdict/verdict.ts';

/** pytest: 1 some failed, 2 interrupted or not collected, 3 internal, 4 usage, 5 none found. Source: pytest docs, "Exit codes". */
export function judgeTests(
  found: FoundGate,
  runs: readonly Execution[],
  evidence: GateEvidence,
): GateJudgement {
  const last = runs.at(-1);
  const cases = casesOf(found, evidence);
  const bad = cases.filter(({ state }) => state === 'failed' || state === 'errored');
  const ran = cases.filter(({ state }) => state !== 'skipped');
  const isPytest = /\bpytest\b/.test(last?.text ?? '');
  const status = last?.status;
  const at = bad.find((testCase) => testCase.at)?.at;
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
  const unrun = last && (whyNotRun(last, evidence.output) ?? missingModule(last, cases, evidence));
  if (unrun !== undefined) return { state: 'errored', message: unrun };
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
  const again = judgeRepeatedRuns(found, runs);
  if (again) return { ...again, ...place };
  if (bad.length > 0)
    return { state: 'failed', message: `${bad.length} of ${ran.length} failed: ${names(bad)}.`, ...place };
  if (last?.succeeded === false) {
    const error = findError(evidence.output, evidence.solution);
    return {
      state: 'failed',
      message: 'The runner reported failures.',
      ...(error ? { at: { path: error.path, line: error.line } } : {}),
    };
  }
  const refused = (evidence.reward ?? 0) > 0 ? undefined : refusingLine(found.readings, evidence);
  if (refused !== undefined)
    return {
      state: 'failed',
      message: `At line ${refused} the script reads this result and turns away from a reward.`,
    };
  if (last?.succeeded === undefined && (evidence.reward ?? 0) <= 0 && cases.length === 0)
    return { state: 'failed', message: 'The run did not lead to a reward.' };
  return {
    state: 'passed',
    message:
      ran.length === 0
        ? 'The test command succeeded.'
        : `${ran.length === 1 ? 'The only test' : `All ${ran.length} tests`} passed.`,
  };
}

export function casesOf({ placed: { leaf } }: FoundGate, evidence: GateEvidence): readonly TestCase[] {
  return evidence.cases.filter(({ gateLine }) => gateLine === leaf.line);
}

/** Judges a runner in a loop by its statuses, since each report replaces the one before. */
function judgeRepeatedRuns(found: FoundGate, runs: readonly Execution[]): GateJudgement | undefined {
  const failed = runs.filter(({ succeeded }) => succeeded === false).length;
  // `until pytest; do …` tries again, so only the last run counts.
  const retries = found.placed.frames.some(({ kind }) => kind === 'loop-condition');
  if (runs.length < 2 || failed === 0 || retries) return undefined;
  return { state: 'failed', message: `The runner reported failures ${failed} of ${runs.length} times.` };
}

/** Finds that a runner is not installed: `python3 -m pytest` then ends with 1, as if a test had failed. */
function missingModule(
  last: Execution,
  cases: readonly TestCase[],
  { output }: GateEvidence,
): string | undefined {
  const module = last.words[last.words.indexOf('-m') + 1];
  if (cases.length > 0 || last.succeeded === true || module === undefined || !last.words.includes('-m'))
    return undefined;
  return output.split('\n').some((line) => line.trimEnd().endsWith(`: No module named ${module}`))
    ? `The runner is not installed in the image: no module named ${module}.`
    : undefined;
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
  return joinWords(short, { most: 4 });
}
