/** Every run of a task as a test run, however it was started. */
import type * as vscode from 'vscode';
import { messageOf } from '../platform/failureMessage.ts';
import type { EditorContext } from '../run/editorContext.ts';
import type { AskedRun, RunEnding, RunProgress } from '../run/runService.ts';
import { logDecision } from '../task/logDecision.ts';
import type { OpenTask } from '../task/openTask.ts';
import { shortId } from '../task/taskName.ts';
import { TestRunReport } from './testRunReport.ts';
import type { TestResults } from './testResults.ts';

export class RunReports {
  readonly #context: EditorContext;
  readonly #controller: vscode.TestController;
  readonly #results: TestResults;
  /** The request that the next run of a task answers. */
  readonly #requests = new Map<OpenTask, vscode.TestRunRequest>();
  /** The test runs of runs under way, by the id of the run. */
  readonly #reports = new Map<string, TestRunReport>();

  constructor(context: EditorContext, controller: vscode.TestController, results: TestResults) {
    this.#context = context;
    this.#controller = controller;
    this.#results = results;
  }

  /** Does `verify` as the answer to a request of the Testing view. */
  async answer(task: OpenTask, request: vscode.TestRunRequest, verify: () => Promise<void>): Promise<void> {
    this.#requests.set(task, request);
    await verify();
    this.#requests.delete(task);
  }

  async showProgress(progress: RunProgress): Promise<void> {
    const { run } = progress;
    switch (progress.kind) {
      case 'asked':
        return this.#showAsked(run);
      case 'started': {
        const item = this.#results.items.itemOf(run.task);
        if (item) this.#reports.get(run.id)?.started(item);
        return;
      }
      case 'printed':
        this.#reports.get(run.id)?.print(progress.line);
        return;
    }
  }

  async showEnding(ending: RunEnding): Promise<void> {
    const { id, task } = ending.run;
    const report = this.#reports.get(id);
    this.#reports.delete(id);
    if (!report) return;
    const { t } = this.#context.api.l10n;
    if (ending.kind === 'failed') report.print(messageOf(ending.error, t));
    else if (ending.kind === 'stopped') report.print(t('The run was cancelled.'));
    else if (task.state.run?.id === id) {
      this.#results.dropTrials(task);
      await this.#results.redraw(task);
      await this.#results.report(task, report);
    } else logDecision(this.#context.log, task, `the test results of ${id} are not shown, as a newer run is`);
    report.end();
  }

  /** Shows the last run of a task where its verdict still holds: one of an earlier window, or one whose tests were revealed since. */
  async showLastRun(task: OpenTask): Promise<void> {
    const { run } = task.state;
    const item = this.#results.items.itemOf(task);
    if (!run || run.outdated || !item) return;
    const report = this.#begin(task, new this.#context.api.TestRunRequest([item]), false);
    await this.#results.report(task, report);
    report.end();
  }

  async #showAsked({ id, task }: AskedRun): Promise<void> {
    await this.#results.redraw(task);
    const item = this.#results.items.itemOf(task);
    if (!item) return;
    const request = this.#requests.get(task) ?? new this.#context.api.TestRunRequest([item]);
    this.#requests.delete(task);
    const report = this.#begin(task, request, true);
    report.enqueued(item);
    report.token.onCancellationRequested(() => void this.#context.runs.cancel(task));
    this.#reports.set(id, report);
  }

  #begin(task: OpenTask, request: vscode.TestRunRequest, persist: boolean): TestRunReport {
    const run = this.#controller.createTestRun(request, shortId(task.state.taskId), persist);
    return new TestRunReport(this.#context.api, run);
  }
}
