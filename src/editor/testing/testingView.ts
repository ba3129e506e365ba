/** The Testing view: the tests of every open task, its runs as test runs, and trials of one test. */
import type * as vscode from 'vscode';
import type { DebugTests } from '../debug/debugTests.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import { JobsInOrder } from '../platform/jobsInOrder.ts';
import { type EditorContext, verifyAndTell } from '../run/editorContext.ts';
import type { OpenTask } from '../task/openTask.ts';
import { RunReports } from './runReports.ts';
import { TestItems, type TestSubject } from './testItems.ts';
import { TestResults } from './testResults.ts';
import { TrialReports } from './trialReports.ts';

export class TestingView {
  readonly controller: vscode.TestController;
  readonly #context: EditorContext;
  readonly #store = new DisposableStore();
  /** One after the other, so that a result comes after its item was drawn. */
  readonly #jobs: JobsInOrder;
  readonly #results: TestResults;
  readonly #runs: RunReports;
  readonly #trials: TrialReports;
  /** Tasks whose tests the person has been shown. */
  readonly #revealed = new Set<OpenTask>();

  constructor(context: EditorContext, debugging: DebugTests) {
    const { api, log, runs, tasks } = context;
    const { l10n, tests, TestTag } = api;
    this.#context = context;
    this.#jobs = new JobsInOrder((error) => log.error(error instanceof Error ? error : String(error)));
    this.controller = this.#store.add(tests.createTestController('repairBench', l10n.t('Repair Bench')));
    const tags = { verify: new TestTag('verify'), trial: new TestTag('trial') };
    this.#results = new TestResults(context, this.controller, new TestItems(api, this.controller, tags));
    this.#runs = new RunReports(context, this.controller, this.#results);
    this.#trials = new TrialReports(context, this.controller, this.#results, debugging);
    this.#createProfiles(tags);
    this.#store.add(tasks.onDidAdd((task) => this.#inTurn(() => this.#added(task))));
    this.#store.add(tasks.onDidChange((task) => this.#inTurn(() => this.#changed(task))));
    this.#store.add(tasks.onDidChangeSolution((task) => this.#inTurn(() => this.#results.outdate(task))));
    this.#store.add(runs.onRunProgress((progress) => this.#inTurn(() => this.#runs.showProgress(progress))));
    this.#store.add(runs.onDidEndRun((ending) => this.#inTurn(() => this.#runs.showEnding(ending))));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #createProfiles(tags: { readonly verify: vscode.TestTag; readonly trial: vscode.TestTag }): void {
    const { l10n, TestRunProfileKind } = this.#context.api;
    const { Debug, Run } = TestRunProfileKind;
    const run: RunHandler = (request, token) => this.#run(request, token);
    const debug: RunHandler = (request, token) => this.#debug(request, token);
    for (const [label, kind, handler, tag] of [
      [l10n.t('Verify'), Run, run, tags.verify],
      [l10n.t('Trial (No Reward)'), Run, run, tags.trial],
      [l10n.t('Debug Test'), Debug, debug, tags.trial],
    ] as const)
      this.#store.add(this.controller.createRunProfile(label, kind, handler, true, tag));
  }

  #inTurn(job: () => Promise<void> | void): void {
    this.#jobs.add(() => (this.#store.isDisposed ? undefined : job()));
  }

  async #added(task: OpenTask): Promise<void> {
    if (task.isRevealed('tests')) this.#revealed.add(task);
    await this.#results.redraw(task);
    await this.#runs.showLastRun(task);
  }

  async #changed(task: OpenTask): Promise<void> {
    await this.#results.redraw(task);
    if (!task.isRevealed('tests') || this.#revealed.has(task)) return;
    this.#revealed.add(task);
    // Messages may stand at their lines of the tests from now on, and only a new test run can move them there.
    await this.#runs.showLastRun(task);
  }

  /** Verifies the tasks that were asked for as a whole, and tries the tests that were asked for alone. */
  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const subjects = this.#subjectsOf(request);
    const tasks = [...new Set(subjects.filter(({ node }) => !node.trial).map(({ task }) => task))];
    const trials = subjects.filter(({ task, node }) => node.trial && !tasks.includes(task));
    await Promise.all([
      ...tasks.map((task) => this.#runs.answer(task, request, () => this.#verify(task, token))),
      trials.length === 0 ? undefined : this.#trials.run(request, trials, token, 'plain'),
    ]);
    // VS Code takes the test run as ended when this resolves.
    await this.#jobs.done;
  }

  async #debug(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const trials = this.#subjectsOf(request).filter(({ node }) => node.trial);
    await this.#trials.run(request, trials, token, 'debugged');
    await this.#jobs.done;
  }

  async #verify(task: OpenTask, token: vscode.CancellationToken): Promise<void> {
    const { failures, runs } = this.#context;
    const cancelling = token.onCancellationRequested(() => void runs.cancel(task));
    await verifyAndTell(this.#context, task).catch(failures.report);
    cancelling.dispose();
  }

  #subjectsOf({ include, exclude = [] }: vscode.TestRunRequest): readonly TestSubject[] {
    const items = include ?? [...this.controller.items].map(([, item]) => item);
    return items.flatMap((item) => (exclude.includes(item) ? [] : (this.#results.items.of(item) ?? [])));
  }
}

type RunHandler = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => Promise<void>;
