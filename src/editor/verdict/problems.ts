/**
 * A verdict as entries for the Problems panel. Pure. It says what the runner printed and the gates' own sentences,
 * never the text of test files.
 */
import type { ContainerPath } from '../../task/containerPath.ts';
import { TEST_SCRIPT } from '../../task/taskLayout.ts';
import type { Gate, Place, RanVerdict, TestCase, Verdict } from '../../verifier/verdict/verdict.ts';
import { didRun } from '../../verifier/verdict/verdictFacts.ts';
import { caseStateWord } from '../../verifier/verdict/words.ts';
import { joined } from '../../wording/joinWords.ts';
import type { Translate } from '../../wording/translate.ts';
import { fullOutcome } from './fullOutcome.ts';
import { type LinesOf, sameLine } from './solutionLines.ts';
import { type TaskPlace, taskPlace } from '../task/taskUri.ts';

/** The place that related information links to: in the task as shipped or in the solution. Lines are 1-based. */
export type RelatedPlace = TaskPlace & { readonly line: number; readonly message: string };

export interface Problem {
  /** The file of the solution that the entry stands on. */
  readonly file: ContainerPath;
  /** 1-based. */
  readonly line: number;
  /** 1-based; undefined for the whole line. */
  readonly column: number | undefined;
  /** Whether the failure is at this line; false for an entry about the solution as a whole. */
  readonly placed: boolean;
  readonly severity: 'error' | 'information';
  readonly message: string;
  /** A gate's id, `case`, `reward`, `unscored`, `no-verifier` or `engine-error`. */
  readonly code: string;
  readonly related: readonly RelatedPlace[];
}

export interface ProblemContext {
  /** The solution's files, the first one first. */
  readonly files: readonly ContainerPath[];
  readonly t: Translate;
}

/** All entries of one verdict, in the order in which the gates stand in `test.sh`, the reward first. */
export function problemsOf(verdict: Verdict, context: ProblemContext): readonly Problem[] {
  const file = context.files[0];
  if (file === undefined || verdict.outcome === 'cancelled') return [];
  const entryContext = { ...context, file };
  if (!didRun(verdict)) {
    const at = verdict.outcome === 'engine-error' ? verdict.at : undefined;
    const related = at ? [inTask(at.file, at.line, context.t('Here'))] : [];
    return [general(entryContext, 'error', fullOutcome(verdict, context.t), verdict.outcome, related)];
  }
  return [
    rewardEntry(verdict, entryContext),
    ...verdict.gates.map((gate) => gateEntry(gate, verdict, entryContext)),
    ...verdict.cases.flatMap((testCase) => caseEntry(testCase, entryContext)),
  ];
}

/**
 * The entries that stay once the solution has changed, as information and marked outdated: none on a line that moved.
 * `then` is the solution that the verdict holds for; where it was not kept, only entries about the whole solution stay.
 */
export function outdatedProblems(
  problems: readonly Problem[],
  then: LinesOf,
  now: LinesOf,
  t: Translate,
): readonly Problem[] {
  return problems.flatMap((problem) => {
    if (problem.placed && !sameLine(problem.file, problem.line, then, now)) return [];
    if (now(problem.file) === undefined) return [];
    return [{ ...problem, severity: 'information' as const, message: t('Outdated: {0}', problem.message) }];
  });
}

/** What every entry of one verdict needs. */
interface EntryContext extends ProblemContext {
  /** Entries about the solution as a whole stand on this file. */
  readonly file: ContainerPath;
}

function rewardEntry(verdict: RanVerdict, context: EntryContext): Problem {
  const { t } = context;
  if (verdict.outcome === 'unscored')
    return general(context, 'error', fullOutcome(verdict, t), 'unscored', []);
  const related =
    verdict.rewardLine === undefined ? [] : [testScript(verdict.rewardLine, t('The reward is written here'))];
  return general(context, 'information', fullOutcome(verdict, t), 'reward', related);
}

function gateEntry(gate: Gate, verdict: RanVerdict, context: EntryContext): Problem {
  const { t } = context;
  const place = gate.state === 'passed' ? undefined : inSolution(context, gate.at);
  const related = [
    testScript(gate.line, t('The gate in test.sh')),
    ...relatedPlaces(context, place, gate.at),
  ];
  const severity = gate.state === 'failed' || gate.state === 'errored' ? 'error' : 'information';
  const decided = gate.decisive && verdict.outcome === 'scored' && severity === 'error';
  const message = joined([gateSentence(gate, t), decided ? t('It decided the reward.') : ''], ' ');
  if (!place) return general(context, severity, message, gate.id, related);
  return { ...at(place), severity, message, code: gate.id, related };
}

function gateSentence(gate: Gate, t: Translate): string {
  switch (gate.state) {
    case 'passed':
      return t('Gate "{0}" passed.', gate.title);
    case 'failed':
      return joined([t('Gate "{0}" failed.', gate.title), gate.message], ' ');
    case 'errored':
      return joined([t('Gate "{0}" could not run.', gate.title), gate.message], ' ');
    case 'not-reached':
      return t('Gate "{0}" was not reached.', gate.title);
  }
}

function caseEntry(testCase: TestCase, context: EntryContext): Problem[] {
  if (testCase.state !== 'failed' && testCase.state !== 'errored') return [];
  const { t } = context;
  const place = inSolution(context, testCase.at) ?? inSolution(context, testCase.related);
  const related = [
    ...relatedPlaces(context, place, testCase.at),
    ...relatedPlaces(context, place, testCase.related),
    ...(testCase.gateLine === undefined ? [] : [testScript(testCase.gateLine, t('The gate in test.sh'))]),
  ];
  const why = testCase.message === undefined ? '' : `: ${testCase.message}`;
  const message = `${t('Test {0} {1}', testCase.name, caseStateWord(testCase.state, t))}${why}`;
  if (!place) return [general(context, 'error', message, 'case', related)];
  return [{ ...at(place), severity: 'error', message, code: 'case', related }];
}

/** An entry about the solution as a whole stands on its first line. */
function general(
  context: EntryContext,
  severity: Problem['severity'],
  message: string,
  code: string,
  related: readonly RelatedPlace[],
): Problem {
  return { file: context.file, line: 1, column: undefined, placed: false, severity, message, code, related };
}

function at(place: Place): Pick<Problem, 'file' | 'line' | 'column' | 'placed'> {
  return { file: place.path, line: place.line, column: place.column, placed: true };
}

function inSolution(context: EntryContext, place: Place | undefined): Place | undefined {
  return place && context.files.includes(place.path) ? place : undefined;
}

/** A place besides the entry's own: another line of the solution, or a line of a test file. */
function relatedPlaces(
  context: EntryContext,
  shown: Place | undefined,
  place: Place | undefined,
): RelatedPlace[] {
  if (!place || place === shown) return [];
  if (context.files.includes(place.path))
    return [{ in: 'solution', path: place.path, line: place.line, message: context.t('In the solution') }];
  const file = taskPlace(place.path);
  return file.in === 'task' ? [inTask(file.path, place.line, context.t('The assertion'))] : [];
}

function testScript(line: number, message: string): RelatedPlace {
  return inTask(TEST_SCRIPT, line, message);
}

function inTask(path: string, line: number, message: string): RelatedPlace {
  return { in: 'task', path, line, message };
}
