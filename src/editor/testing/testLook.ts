/** Does one quick look for the Testing view and gives its results to the items it is about. */
import type * as vscode from 'vscode';
import type { OpenTask } from '../task/openTask.ts';
import type { Look, LookTarget } from '../../verifier/look/quickLook.ts';
import { messageOf } from '../platform/failureMessage.ts';
import type { SeenLook } from '../run/quickLooks.ts';
import { withRemedies } from '../platform/remedyWords.ts';
import type { TestItems, TestSubject } from './testItems.ts';
import type { TestRunReport } from './testRunReport.ts';
import type { TestResult } from './testTree.ts';
import type { Translate } from '../../wording/translate.ts';

/** What to say beside items from now on, and the solution that was looked at. */
export interface Looked {
  readonly descriptions: ReadonlyMap<string, string>;
  readonly solution: string | undefined;
  /** The person had enough, so that those after it are not looked at either. */
  readonly cancelled?: boolean;
}

/** The way in which a test is looked at, and how that is said. */
export interface Looking {
  readonly take: (task: OpenTask, target: LookTarget, item: vscode.TestItem) => Promise<SeenLook | undefined>;
  readonly t: Translate;
  readonly begun: (label: string) => string;
  /** Beside the item from then on. */
  readonly description: string;
  readonly cancelled: string;
  readonly ended: (message: string) => string;
}

const NOTHING: Looked = { descriptions: new Map(), solution: undefined };

export async function reportLook(
  looking: Looking,
  items: TestItems,
  report: TestRunReport,
  subject: TestSubject,
): Promise<Looked> {
  const { task, node } = subject;
  const item = items.find(task, node);
  if (!node.look || !item) return NOTHING;
  const { t } = looking;
  const { gate, name } = node.look;
  const target: LookTarget = name === undefined ? { kind: 'file', gate } : { kind: 'case', gate, name };
  report.started(item);
  report.print(looking.begun(node.label));
  const could = async (why: string): Promise<Looked> => {
    report.print(why);
    await items.report(task, report, item, errored(why));
    return NOTHING;
  };
  try {
    const seen = await looking.take(task, target, item);
    if (!seen) {
      report.print(looking.cancelled);
      return { ...NOTHING, cancelled: true };
    }
    const { result, solution } = seen;
    if (result.kind === 'refused') return await could(withRemedies(result, t));
    if (result.kind === 'failed') return await could(withRemedies(result.failure, t));
    report.print(result.output);
    const about = items.below(item);
    const descriptions = new Map([[node.id, looking.description]]);
    for (const { item: each, node: shown } of about) {
      const found = resultOf(result, shown.look?.name, items, task);
      if (!found) continue;
      descriptions.set(shown.id, looking.description);
      await items.report(task, report, each, found);
    }
    report.print(looking.ended(result.message));
    return { descriptions, solution };
  } catch (error) {
    return could(messageOf(error, t));
  }
}

/** A case says what its report says; a gate, or a case that is not in the report, what the look came to. */
function resultOf(
  look: Look,
  name: string | undefined,
  items: TestItems,
  task: TestSubject['task'],
): TestResult | undefined {
  const testCase = look.cases.find((one) => one.name === name);
  if (testCase) return items.caseResult(task, testCase);
  if (name !== undefined && look.cases.length > 0) return undefined;
  const notes =
    look.state === 'passed' ? [] : [{ text: look.message, compared: undefined, place: undefined }];
  return { state: look.state, durationMs: look.durationMs, notes };
}

function errored(text: string): TestResult {
  return {
    state: 'errored',
    durationMs: undefined,
    notes: [{ text, compared: undefined, place: undefined }],
  };
}
