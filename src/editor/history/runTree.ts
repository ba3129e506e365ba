/** The Run view as a tree of plain nodes. Pure; `runView.ts` draws it. */
import type { Fault } from '../../fault/remedy.ts';
import { TEST_SCRIPT } from '../../task/taskLayout.ts';
import type { Gate, RanVerdict, TestCase } from '../../verifier/verdict/verdict.ts';
import { decisiveGate, didRun, outcomeState, passedGates } from '../../verifier/verdict/verdictFacts.ts';
import { caseStateWord, gateStateWord, outcomeLabel, phaseWords } from '../../verifier/verdict/words.ts';
import { durationText } from '../../wording/durationText.ts';
import { joined } from '../../wording/joinWords.ts';
import type { Translate } from '../../wording/translate.ts';
import { type CaseGroup, caseGroups } from '../verdict/caseGroups.ts';
import { fullOutcome } from '../verdict/fullOutcome.ts';
import { remedyWords, withRemedies } from '../platform/remedyWords.ts';
import { starterWords } from '../verdict/statusText.ts';
import { type TaskPlace, taskPlace } from '../task/taskUri.ts';
import { isStarterAgain, type TaskState } from '../task/taskState.ts';

/** What a click opens. */
export type Opens =
  (TaskPlace & { readonly line: number; readonly column?: number }) | { readonly in: 'output' };

export type RunIcon =
  | 'passed'
  | 'failed'
  | 'errored'
  | 'not-reached'
  | 'skipped'
  | 'running'
  | 'outdated'
  | 'unchanged'
  | 'warning'
  | 'clock'
  | 'runtime'
  | 'output'
  | 'next-step';

export interface RunNode {
  /** Unique in one tree and stable from run to run. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** The whole node in words, for screen readers. */
  readonly spoken: string;
  readonly icon: RunIcon;
  /** Outdated nodes are drawn without colour. */
  readonly dimmed: boolean;
  readonly expanded: boolean;
  readonly children: readonly RunNode[];
  readonly opens?: Opens;
  readonly decisive?: boolean;
}

/** The tree of one task: what runs now, the outcome, gates with their cases, warnings, clocks, runtime. */
export function runTree(state: TaskState, t: Translate): readonly RunNode[] {
  return [
    ...activityNodes(state, t),
    ...starterNodes(state, t),
    ...(state.run ? verdictNodes(state.run, t) : []),
  ];
}

function activityNodes(state: TaskState, t: Translate): readonly RunNode[] {
  const { activity } = state;
  switch (activity.kind) {
    case 'idle':
      return [];
    case 'waiting':
      return [
        node({
          id: 'activity',
          label: t('Waiting'),
          icon: 'clock',
          description: t('another run goes first'),
        }),
      ];
    case 'running':
      return [
        node({
          id: 'activity',
          label: t('Running'),
          icon: 'running',
          description: phaseWords(activity.phase, t),
        }),
      ];
    case 'cancelling':
      return [
        node({
          id: 'activity',
          label: t('Cancelling'),
          icon: 'running',
          description: t('removing the container'),
        }),
      ];
  }
}

/** Stands above the last run, which verified another solution. */
function starterNodes(state: TaskState, t: Translate): readonly RunNode[] {
  if (!isStarterAgain(state)) return [];
  return [node({ id: 'unchanged', label: starterWords(state, t), icon: 'unchanged' })];
}

function verdictNodes(run: NonNullable<TaskState['run']>, t: Translate): readonly RunNode[] {
  const { verdict, outdated } = run;
  const outcome = node({
    id: 'outcome',
    label: outcomeLabel(verdict, t),
    description: outdated ? t('outdated: the solution has changed') : outcomeDescription(run, t),
    tooltip: fullOutcome(verdict, t),
    icon: outdated ? 'outdated' : outcomeState(verdict),
    dimmed: outdated,
  });
  if (!didRun(verdict)) return [outcome, ...failureNodes(verdict, t)];
  const unscored = verdict.outcome === 'unscored' ? failureNodes(verdict, t) : [];
  return [
    outcome,
    ...unscored,
    ...caseGroups(verdict).flatMap((group) => groupNodes(group, outdated, t)),
    ...verdict.warnings.map((warning, index) => {
      const words = withRemedies(warning, t);
      return node({
        id: `warning:${index}:${warning.code}`,
        label: words,
        icon: 'warning',
        spoken: t('Warning: {0}', words),
      });
    }),
    clockNode(verdict, t),
    node({
      id: 'runtime',
      label: verdict.runtime.name,
      description: imageText(verdict),
      tooltip: `${verdict.runtime.platform}\n${verdict.holdsFor.image}`,
      icon: 'runtime',
    }),
    node({ id: 'output', label: t('Output of test.sh'), icon: 'output', opens: { in: 'output' } }),
  ];
}

function outcomeDescription({ verdict }: NonNullable<TaskState['run']>, t: Translate): string {
  if (!didRun(verdict)) return '';
  const { passed, total } = passedGates(verdict);
  return total === 0 ? '' : t('{0} of {1} gates passed', passed, total);
}

function failureNodes(
  failure: Fault & { readonly detail?: string | undefined },
  t: Translate,
): readonly RunNode[] {
  const nextStep = remedyWords(failure.remedies, t);
  return [
    node({
      id: 'failure',
      label: failure.message,
      tooltip: joined([failure.message, failure.detail], '\n\n'),
      icon: 'errored',
    }),
    node({
      id: 'next-step',
      label: nextStep,
      icon: 'next-step',
      spoken: t('Next step: {0}', nextStep),
    }),
  ];
}

function groupNodes(group: CaseGroup, outdated: boolean, t: Translate): readonly RunNode[] {
  const { gate, cases, shared } = group;
  const children = cases.map((testCase, index) =>
    caseNode(testCase, { gateId: gate?.id ?? 'none', index, shared, outdated }, t),
  );
  return gate ? [gateNode(gate, children, outdated, t)] : children;
}

function gateNode(gate: Gate, children: readonly RunNode[], outdated: boolean, t: Translate): RunNode {
  const word = gateStateWord(gate.state, t);
  const decided = gate.decisive ? t('decided') : '';
  const line = t('line {0}', gate.line);
  return node({
    id: `gate:${gate.id}`,
    label: gate.title,
    description: joined([word, decided, line]),
    tooltip: gate.message,
    spoken: joined(
      [
        gate.title,
        word,
        gate.decisive ? t('decided the reward') : '',
        t('line {0} of test.sh', gate.line),
        gate.message,
      ],
      ', ',
    ),
    icon: gate.state,
    dimmed: outdated,
    expanded: gate.state !== 'passed' || gate.decisive,
    children,
    opens: { in: 'task', path: TEST_SCRIPT, line: gate.line },
    decisive: gate.decisive,
  });
}

interface CasePlace {
  readonly gateId: string;
  readonly index: number;
  readonly shared: string;
  readonly outdated: boolean;
}

function caseNode(testCase: TestCase, { gateId, index, shared, outdated }: CasePlace, t: Translate): RunNode {
  const word = caseStateWord(testCase.state, t);
  const message = testCase.message ?? '';
  const time = testCase.durationMs === undefined ? '' : durationText(testCase.durationMs);
  const opens = caseOpens(testCase);
  return node({
    id: `case:${gateId}:${index}:${testCase.name}`,
    label: testCase.name.slice(shared.length),
    description: message === '' ? joined([word, time]) : message,
    tooltip: joined([t('{0}: {1}', testCase.name, word), message, testCase.detail], '\n\n'),
    spoken: joined([testCase.name, word, message], ', '),
    icon: testCase.state,
    dimmed: outdated,
    ...(opens ? { opens } : {}),
  });
}

function caseOpens(testCase: TestCase): Opens | undefined {
  const place = testCase.at ?? testCase.related;
  if (!place) return undefined;
  const { path, line, column } = place;
  return { ...taskPlace(path), line, ...(column === undefined ? {} : { column }) };
}

function clockNode(verdict: RanVerdict, t: Translate): RunNode {
  const entries = Object.entries(verdict.clocks).filter(
    (entry): entry is [string, number] => entry[1] !== undefined,
  );
  const children = entries.map(([phase, ms]) =>
    node({ id: `clock:${phase}`, label: phase, description: durationText(ms), icon: 'clock' }),
  );
  const verify = verdict.clocks.verify;
  const build = verdict.clocks.build;
  return node({
    id: 'clocks',
    label: t('Time'),
    description: joined([
      verify === undefined ? '' : t('test.sh {0}', durationText(verify)),
      build === undefined || build < 1 ? '' : t('image {0}', durationText(build)),
    ]),
    icon: 'clock',
    children,
  });
}

function imageText(verdict: RanVerdict): string {
  return verdict.holdsFor.image.replace(/^sha256:/, '').slice(0, 12);
}

/** The id of the node that a person should see first: the gate that decided. */
export function nodeToSelect(state: TaskState): string {
  const verdict = state.run?.verdict;
  const gate = verdict && didRun(verdict) ? decisiveGate(verdict) : undefined;
  return gate && gate.state !== 'passed' ? `gate:${gate.id}` : 'outcome';
}

type NodeParts = Pick<RunNode, 'id' | 'label' | 'icon'> & Partial<RunNode>;

function node(parts: NodeParts): RunNode {
  const { label, description = '' } = parts;
  return {
    description,
    tooltip: label,
    spoken: description === '' ? label : `${label}, ${description}`,
    dimmed: false,
    expanded: false,
    children: [],
    ...parts,
  };
}
