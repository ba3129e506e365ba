/** What the items of a task show: the results of its last run or of trials, until the solution is another one. */
import type * as vscode from 'vscode';
import { fullOutcome } from '../verdict/fullOutcome.ts';
import { outputText } from '../verdict/outputDocuments.ts';
import type { EditorContext } from '../run/editorContext.ts';
import { logDecision } from '../task/logDecision.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { TestItems } from './testItems.ts';
import type { TestRunReport } from './testRunReport.ts';

/** What trials say beside items from now on, by the id of the item, and the hash of the solution that was tried. */
export interface TrialNotes {
  readonly descriptions: ReadonlyMap<string, string>;
  readonly solution: string | undefined;
}

export class TestResults {
  readonly items: TestItems;
  readonly #context: EditorContext;
  readonly #controller: vscode.TestController;
  /** Hash of the solution that the results shown for a task are of. */
  readonly #shownFor = new Map<OpenTask, string>();
  readonly #trialNotes = new Map<OpenTask, Map<string, string>>();

  constructor(context: EditorContext, controller: vscode.TestController, items: TestItems) {
    this.#context = context;
    this.#controller = controller;
    this.items = items;
  }

  async redraw(task: OpenTask): Promise<void> {
    await this.items.draw(task, this.#trialNotes.get(task) ?? new Map());
    this.outdate(task);
  }

  /** Marks the results of a task as outdated when its solution is another one than they are of. */
  outdate(task: OpenTask): void {
    const item = this.items.itemOf(task);
    const shown = this.#shownFor.get(task);
    if (!item || shown === undefined || task.solutionHash === undefined || shown === task.solutionHash)
      return;
    this.#shownFor.delete(task);
    this.#controller.invalidateTestResults(item);
    logDecision(this.#context.log, task, 'its test results are outdated, as the solution is another one now');
  }

  /** Gives the results of the verdict that the task shows, after what `test.sh` printed. */
  async report(task: OpenTask, report: TestRunReport): Promise<void> {
    const { t } = this.#context.api.l10n;
    const item = this.items.itemOf(task);
    const verdict = task.state.run?.verdict;
    if (!item || !verdict) return;
    report.print(outputText(task.state, t));
    for (const shown of this.items.below(item))
      if (shown.node.result) await this.items.report(task, report, shown.item, shown.node.result);
    report.print(fullOutcome(verdict, t));
    this.#shownFor.set(task, verdict.holdsFor.solution);
    await this.redraw(task);
  }

  /** A new run says more than the trials before it. */
  dropTrials(task: OpenTask): void {
    this.#trialNotes.delete(task);
  }

  async addTrial(task: OpenTask, { descriptions, solution }: TrialNotes): Promise<void> {
    const notes = this.#trialNotes.get(task) ?? new Map<string, string>();
    descriptions.forEach((text, id) => notes.set(id, text));
    this.#trialNotes.set(task, notes);
    // Results of the same solution still hold; those of another one are outdated already.
    if (solution !== undefined) this.#shownFor.set(task, solution);
    await this.redraw(task);
  }
}
