/**
 * A verdict as entries for the Problems panel. Pure. It says what the runner printed and the gates' own sentences,
 * never what is written in test files.
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

/** Where related information leads: into the task as shipped, or into the solution. Lines are 1-based. */
export type RelatedPlace = TaskPlace & { readonly line: number; readonly message: string };

export interface Problem {
  /** The solution's file that it is shown on. */
  readonly file: ContainerPath;
  /** 1-based. */
  readonly line: number;
  /** 1-based; undefined for the whole line. */
  readonly column: number | undefined;
  /** Whether the line is where the failure is, or only where there was room for it. */
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
  const sheet = { ...context, file };
  if (!didRun(verdict)) {
    const at = verdict.outcome === 'engine-error' ? verdict.at : undefined;
    const related = at ? [inTask(at.file, at.line, context.t('Here'))] : [];
    return [general(sheet, 'error', fullOutcome(verdict, context.t), verdict.outcome, related)];
  }
  return [
    rewardEntry(verdict, sheet),
    ...verdict.gates.map((gate) => gateEntry(gate, verdict, sheet)),
    ...verdict.cases.flatMap((testCase) => caseEntry(testCase, sheet)),
  ];
}

/**
 * What stays of the entries once the solution has changed, as information and marked outdated: never an entry on a line
 * that moved. `then` is the solution that the verdict
 * holds for; where it is not known, only entries about the whole solution stay.
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

interface Sheet extends ProblemContext {
  readonly file: ContainerPath;
}

function rewardEntry(verdict: RanVerdict, sheet: Sheet): Problem {
  const { t } = sheet;
  if (verdict.outcome === 'unscored') return general(sheet, 'error', fullOutcome(verdict, t), 'unscored', []);
  const related =
    verdict.rewardLine === undefined ? [] : [testScript(verdict.rewardLine, t('The reward is written here'))];
  return general(sheet, 'information', fullOutcome(verdict, t), 'reward', related);
}

function gateEntry(gate: Gate, verdict: RanVerdict, sheet: Sheet): Problem {
  const { t } = sheet;
  const place = gate.state === 'passed' ? undefined : inSolution(sheet, gate.at);
  const related = [testScript(gate.line, t('The gate in test.sh')), ...relatedPlaces(sheet, place, gate.at)];
  const severity = gate.state === 'failed' || gate.state === 'errored' ? 'error' : 'information';
  const said = gate.decisive && verdict.outcome === 'scored' && severity === 'error';
  const message = joined([gateSentence(gate, t), said ? t('It decided the reward.') : ''], ' ');
  if (!place) return general(sheet, severity, message, gate.id, related);
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

function caseEntry(testCase: TestCase, sheet: Sheet): Problem[] {
  if (testCase.state !== 'failed' && testCase.state !== 'errored') return [];
  const { t } = sheet;
  const place = inSolution(sheet, testCase.at) ?? inSolution(sheet, testCase.related);
  const related = [
    ...relatedPlaces(sheet, place, testCase.at),
    ...relatedPlaces(sheet, place, testCase.related),
    ...(testCase.gateLine === undefined ? [] : [testScript(testCase.gateLine, t('The gate in test.sh'))]),
  ];
  const said = testCase.message === undefined ? '' : `: ${testCase.message}`;
  const message = `${t('Test {0} {1}', testCase.name, caseStateWord(testCase.state, t))}${said}`;
  if (!place) return [general(sheet, 'error', message, 'case', related)];
  return [{ ...at(place), severity: 'error', message, code: 'case', related }];
}

/** An entry about the solution as a whole stands on its first line. */
function general(
  sheet: Sheet,
  severity: Problem['severity'],
  message: string,
  code: string,
  related: readonly RelatedPlace[],
): Problem {
  return { file: sheet.file, line: 1, column: undefined, placed: false, severity, message, code, related };
}

function at(place: Place): Pick<Problem, 'file' | 'line' | 'column' | 'placed'> {
  return { file: place.path, line: place.line, column: place.column, placed: true };
}

function inSolution(sheet: Sheet, place: Place | undefined): Place | undefined {
  return place && sheet.files.includes(place.path) ? place : undefined;
}

/** A place that the entry itself does not stand on: another line of the solution, or a line of a test file. */
function relatedPlaces(sheet: Sheet, shown: Place | undefined, place: Place | undefined): RelatedPlace[] {
  if (!place || place === shown) return [];
  if (sheet.files.includes(place.path))
    return [{ in: 'solution', path: place.path, line: place.line, message: sheet.t('In the solution') }];
  const file = taskPlace(place.path);
  return file.in === 'task' ? [inTask(file.path, place.line, sheet.t('The assertion'))] : [];
}

function testScript(line: number, message: string): RelatedPlace {
  return inTask(TEST_SCRIPT, line, message);
}

function inTask(path: string, line: number, message: string): RelatedPlace {
  return { in: 'task', path, line, message };
}
