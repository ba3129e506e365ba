/** A task as the Testing view shows it: gates, and under each the cases it ran, with their results. Pure. */
import type { ContainerPath } from '../../task/containerPath.ts';
import { TEST_SCRIPT } from '../../task/taskLayout.ts';
import { parseComparison, type Comparison } from '../../verifier/tests/expectedActual.ts';
import { nodeIdOf } from '../../verifier/tests/pytestCommand.ts';
import type { Gate, Place, RanVerdict, TestCase } from '../../verifier/verdict/verdict.ts';
import { didRun, outcomeState } from '../../verifier/verdict/verdictFacts.ts';
import { joined } from '../../wording/joinWords.ts';
import type { Translate } from '../../wording/translate.ts';
import { caseGroups, type CaseGroup } from '../verdict/caseGroups.ts';
import { fullOutcome } from '../verdict/fullOutcome.ts';
import { shortId } from '../task/taskName.ts';
import { verdictWords } from '../verdict/statusText.ts';
import { type TaskPlace, taskPlace } from '../task/taskUri.ts';
import type { TaskState } from '../task/taskState.ts';
import { lineOfTest } from './testLines.ts';

/** The place of an item or a message. Without a line it is the whole file, which the person may not read yet. */
export type TestPlace = TaskPlace & { readonly line?: number; readonly endLine?: number };

export interface TestNote {
  readonly text: string;
  readonly compared: Comparison | undefined;
  readonly place: TestPlace | undefined;
}

export interface TestResult {
  readonly state: 'passed' | 'failed' | 'errored' | 'skipped';
  /** Milliseconds. */
  readonly durationMs: number | undefined;
  readonly notes: readonly TestNote[];
}

export interface TestNode {
  /** Unique in one tree and stable from run to run. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly place: TestPlace | undefined;
  /** What a trial of it runs; undefined: it cannot be tried alone. */
  readonly trial: { readonly gate: Gate; readonly name: string | undefined } | undefined;
  readonly result: TestResult | undefined;
  readonly children: readonly TestNode[];
}

export interface TestTreeContext {
  readonly t: Translate;
  /** The file that is opened first; undefined when the task ships none. */
  readonly firstFile: ContainerPath | undefined;
  /** Files of the task's tests, by container path. */
  readonly tests: readonly ContainerPath[];
  /** The text of a file of the task, when the person may read it. */
  readonly textOf: (path: string) => string | undefined;
}

/** The item of one task. */
export function testTree(state: TaskState, context: TestTreeContext): TestNode {
  const { t, firstFile } = context;
  const verdict = state.run?.verdict;
  const words = verdict ? verdictWords(state, t) : [t('not verified')];
  return {
    id: state.folder,
    label: shortId(state.taskId),
    description: joined([...words, state.run?.outdated ? t('outdated') : '']),
    place: firstFile === undefined ? undefined : { in: 'solution', path: firstFile, line: 1 },
    trial: undefined,
    result: verdict && {
      state: outcomeState(verdict),
      durationMs: didRun(verdict) ? verdict.clocks.verify : undefined,
      notes:
        outcomeState(verdict) === 'passed'
          ? []
          : [{ text: fullOutcome(verdict, t), compared: undefined, place: undefined }],
    },
    children:
      verdict && didRun(verdict)
        ? caseGroups(verdict).flatMap((group) => groupNodes(group, verdict, context))
        : [],
  };
}

function groupNodes(group: CaseGroup, verdict: RanVerdict, context: TestTreeContext): readonly TestNode[] {
  const { gate } = group;
  const counts = new Map<string, number>();
  const cases = group.cases.map((testCase): TestNode => {
    const times = (counts.get(testCase.name) ?? 0) + 1;
    counts.set(testCase.name, times);
    return {
      // A script that loops runs a case of the same name again.
      id: `case:${gate?.id ?? 'none'}:${testCase.name}${times === 1 ? '' : `#${times}`}`,
      label: testCase.name.slice(group.shared.length),
      description: '',
      place: definitionOf(testCase, context) ?? placeOf(testCase.at, context),
      trial: gate && { gate, name: testCase.name },
      result: caseResult(testCase, context),
      children: [],
    };
  });
  return gate ? [gateNode(gate, cases, verdict, context)] : cases;
}

function gateNode(
  gate: Gate,
  children: readonly TestNode[],
  verdict: RanVerdict,
  context: TestTreeContext,
): TestNode {
  const { t } = context;
  const place: TestPlace =
    context.textOf(TEST_SCRIPT) === undefined
      ? { in: 'task', path: TEST_SCRIPT }
      : { in: 'task', path: TEST_SCRIPT, line: gate.line, endLine: gate.endLine };
  const bad = gate.state === 'failed' || gate.state === 'errored';
  // The cases under the gate have their own messages.
  const where = children.length > 0 ? undefined : placeOf(gate.at, context);
  return {
    id: `gate:${gate.id}`,
    label: gate.title,
    description: joined([gate.decisive ? t('decided') : '', t('line {0}', gate.line)]),
    place,
    trial: gate.kind === 'tests' ? { gate, name: undefined } : undefined,
    result: {
      state: gate.state === 'not-reached' ? 'skipped' : gate.state,
      durationMs: undefined,
      notes: bad ? [{ text: gateText(gate, verdict, context), compared: undefined, place: where }] : [],
    },
    children,
  };
}

function gateText(gate: Gate, verdict: RanVerdict, { t }: TestTreeContext): string {
  const decided = gate.decisive && verdict.outcome === 'scored' ? t('It decided the reward.') : '';
  return joined([gate.message === '' ? gate.title : gate.message, decided], ' ');
}

/** The result of a case in a report. */
export function caseResult(testCase: TestCase, context: TestTreeContext): TestResult {
  const { state, durationMs, message = '', detail = '' } = testCase;
  if (state === 'passed' || state === 'skipped') return { state, durationMs, notes: [] };
  const text = joined([message, detail === message ? '' : detail], '\n\n');
  return {
    state,
    durationMs,
    notes: [
      {
        text: text === '' ? context.t('The report does not say why.') : text,
        compared: parseComparison(detail === '' ? message : detail),
        place: placeOf(testCase.at, context) ?? placeOf(testCase.related, context),
      },
    ],
  };
}

/** A place in the solution, or in a test file that the person may read; of a hidden file only the name is shown. */
function placeOf(place: Place | undefined, context: TestTreeContext): TestPlace | undefined {
  if (!place) return undefined;
  const file = taskPlace(place.path);
  if (file.in === 'task' && context.textOf(file.path) === undefined) return undefined;
  return { ...file, line: place.line };
}

/** The place of the case's function, where its file is known; only the file while it is hidden. */
function definitionOf(testCase: TestCase, context: TestTreeContext): TestPlace | undefined {
  const path = nodeIdOf(testCase.name, [], context.tests)?.split('::', 1)[0]?.slice(1);
  if (path === undefined) return undefined;
  const text = context.textOf(path);
  const line = text === undefined ? undefined : lineOfTest(text, testCase.name);
  return { in: 'task', path, ...(line === undefined ? {} : { line }) };
}
