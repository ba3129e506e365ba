/** Runs one trial for the Testing view and gives its results to the items that were tried. */
import type * as vscode from 'vscode';
import type { OpenTask } from '../task/openTask.ts';
import type { TrialReport, TrialTarget } from '../../verifier/trial/trial.ts';
import { messageOf } from '../platform/failureMessage.ts';
import type { FinishedTrial } from '../run/trials.ts';
import { withRemedies } from '../platform/remedyWords.ts';
import type { TestItems, TestSubject } from './testItems.ts';
import type { TrialNotes } from './testResults.ts';
import type { TestRunReport } from './testRunReport.ts';
import type { TestResult } from './testTree.ts';
import type { Translate } from '../../wording/translate.ts';

/** What a trial says. */
interface TrialOutcome extends TrialNotes {
  /** The person cancelled, so that the trials after it do not start either. */
  readonly cancelled?: boolean;
}

/** How a test is tried alone, and the words for it. */
export interface TrialMode {
  readonly start: (
    task: OpenTask,
    target: TrialTarget,
    item: vscode.TestItem,
  ) => Promise<FinishedTrial | undefined>;
  readonly t: Translate;
  readonly begun: (label: string) => string;
  /** Shown beside the item from then on. */
  readonly description: string;
  readonly cancelled: string;
  readonly ended: (message: string) => string;
}

const NOTHING: TrialOutcome = { descriptions: new Map(), solution: undefined };

export async function reportTrial(
  mode: TrialMode,
  items: TestItems,
  report: TestRunReport,
  subject: TestSubject,
): Promise<TrialOutcome> {
  const { task, node } = subject;
  const item = items.find(task, node);
  if (!node.trial || !item) return NOTHING;
  const { t } = mode;
  const { gate, name } = node.trial;
  const target: TrialTarget = name === undefined ? { kind: 'file', gate } : { kind: 'case', gate, name };
  report.started(item);
  report.print(mode.begun(node.label));
  const cannotRun = async (why: string): Promise<TrialOutcome> => {
    report.print(why);
    await items.report(task, report, item, errored(why));
    return NOTHING;
  };
  try {
    const trial = await mode.start(task, target, item);
    if (!trial) {
      report.print(mode.cancelled);
      return { ...NOTHING, cancelled: true };
    }
    const { result, solution } = trial;
    if (result.kind === 'refused') return await cannotRun(withRemedies(result, t));
    if (result.kind === 'failed') return await cannotRun(withRemedies(result.failure, t));
    report.print(result.output);
    const about = items.below(item);
    const descriptions = new Map([[node.id, mode.description]]);
    for (const { item: each, node: shown } of about) {
      const found = resultOf(result, shown.trial?.name, items, task);
      if (!found) continue;
      descriptions.set(shown.id, mode.description);
      await items.report(task, report, each, found);
    }
    report.print(mode.ended(result.message));
    return { descriptions, solution };
  } catch (error) {
    return cannotRun(messageOf(error, t));
  }
}

/** For a case the result in the report; for a gate, or a case that is not in the report, the result of the trial as a whole. */
function resultOf(
  trial: TrialReport,
  name: string | undefined,
  items: TestItems,
  task: TestSubject['task'],
): TestResult | undefined {
  const testCase = trial.cases.find((each) => each.name === name);
  if (testCase) return items.caseResult(task, testCase);
  if (name !== undefined && trial.cases.length > 0) return undefined;
  const notes =
    trial.state === 'passed' ? [] : [{ text: trial.message, compared: undefined, place: undefined }];
  return { state: trial.state, durationMs: trial.durationMs, notes };
}

function errored(text: string): TestResult {
  return {
    state: 'errored',
    durationMs: undefined,
    notes: [{ text, compared: undefined, place: undefined }],
  };
}
