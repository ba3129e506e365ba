/** The Testing view: every run of a task as a test run, however it was started, and trials of one test. */
import type * as vscode from 'vscode';
import { DisposableStore } from '../platform/disposableStore.ts';
import { JobsInOrder } from '../platform/jobsInOrder.ts';
import { fullOutcome } from '../verdict/fullOutcome.ts';
import type { OpenTask } from '../task/openTask.ts';
import { outputText } from '../verdict/outputDocuments.ts';
import type { DebugTests } from '../debug/debugTests.ts';
import { type EditorContext, verifyAndTell } from '../run/editorContext.ts';
import type { AskedRun, RunEnding, RunProgress } from '../run/runService.ts';
import { Trials } from '../run/trials.ts';
import { shortId } from '../task/taskName.ts';
import { TestItems, type TestSubject } from './testItems.ts';
import { type TrialMode, reportTrial } from './testTrial.ts';
import { TestRunReport } from './testRunReport.ts';
import { messageOf } from '../platform/failureMessage.ts';

/** A way to try tests alone: as they are, or under the debugger. */
interface TrialProfile {
  readonly name: string;
  readonly mode: (run: vscode.TestRun, signal: AbortSignal) => TrialMode;
}

export class TestingView {
  readonly #context: EditorContext;
  readonly #trials: Trials;
  readonly #debugging: DebugTests;
  /** A result is given after its item was drawn. */
  readonly #jobs: JobsInOrder;
  readonly #store = new DisposableStore();
  readonly controller: vscode.TestController;
  readonly #items: TestItems;
  /** The request that the next run of a task belongs to. */
  readonly #requests = new Map<OpenTask, vscode.TestRunRequest>();
  /** The test runs of runs under way, by the id of the run. */
  readonly #reports = new Map<string, TestRunReport>();
  /** The solution that the results shown for a task hold for. */
  readonly #shownFor = new Map<OpenTask, string>();
  /** Tasks whose tests the person has been shown. */
  readonly #revealed = new Set<OpenTask>();
  /** What the last trials say beside their items, by task and item. */
  readonly #trialNotes = new Map<OpenTask, Map<string, string>>();

  constructor(context: EditorContext, debugging: DebugTests) {
    this.#context = context;
    this.#trials = new Trials(context);
    this.#debugging = debugging;
    const { api, log, tasks, runs } = context;
    this.#jobs = new JobsInOrder((error) => log.error(error instanceof Error ? error : String(error)));
    const { l10n, tests, TestRunProfileKind, TestTag } = api;
    this.controller = this.#store.add(tests.createTestController('repairBench', l10n.t('Repair Bench')));
    const tags = { verify: new TestTag('verify'), trial: new TestTag('trial') };
    this.#items = new TestItems(api, this.controller, tags);
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> =>
      this.#run(request, token);
    for (const [label, tag] of [
      [l10n.t('Verify'), tags.verify],
      [l10n.t('Trial (No Reward)'), tags.trial],
    ] as const)
      this.#store.add(this.controller.createRunProfile(label, TestRunProfileKind.Run, run, true, tag));
    this.#store.add(
      this.controller.createRunProfile(
        l10n.t('Debug Test'),
        TestRunProfileKind.Debug,
        (request, token) => this.#debug(request, token),
        true,
        tags.trial,
      ),
    );
    this.#store.add(tasks.onDidAdd((task) => this.#inTurn(() => this.#added(task))));
    this.#store.add(tasks.onDidChange((task) => this.#inTurn(() => this.#changed(task))));
    this.#store.add(tasks.onDidChangeSolution((task) => this.#inTurn(() => this.#outdate(task))));
    this.#store.add(runs.onRunProgress((progress) => this.#inTurn(() => this.#showProgress(progress))));
    this.#store.add(runs.onDidEndRun((ending) => this.#inTurn(() => this.#showEnding(ending))));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #inTurn(job: () => Promise<void> | void): void {
    this.#jobs.add(() => (this.#store.isDisposed ? undefined : job()));
  }

  async #redraw(task: OpenTask): Promise<void> {
    await this.#items.draw(task, this.#trialNotes.get(task) ?? new Map());
    this.#outdate(task);
  }

  /** Marks results that are of another solution than the one that is there now. */
  #outdate(task: OpenTask): void {
    const item = this.#items.itemOf(task);
    const shown = this.#shownFor.get(task);
    if (!item || shown === undefined || task.solutionHash === undefined || shown === task.solutionHash)
      return;
    this.#shownFor.delete(task);
    this.controller.invalidateTestResults(item);
    this.#log(task, 'its results are outdated: the solution is another one than they are of');
  }

  async #added(task: OpenTask): Promise<void> {
    if (task.isRevealed('tests')) this.#revealed.add(task);
    await this.#redraw(task);
    await this.#showAgain(task);
  }

  async #changed(task: OpenTask): Promise<void> {
    await this.#redraw(task);
    if (!task.isRevealed('tests') || this.#revealed.has(task)) return;
    this.#revealed.add(task);
    // Messages may stand at their lines of the tests now, and only a new run can move them there.
    await this.#showAgain(task);
  }

  /** The results that still hold, of a run before this window or from before the tests were shown. */
  async #showAgain(task: OpenTask): Promise<void> {
    const { run } = task.state;
    const item = this.#items.itemOf(task);
    if (!run || run.outdated || !item) return;
    const report = this.#begin(task, new this.#context.api.TestRunRequest([item]), false);
    await this.#report(task, report);
    report.end();
  }

  async #showProgress(progress: RunProgress): Promise<void> {
    const { run } = progress;
    switch (progress.kind) {
      case 'asked':
        return this.#showAsked(run);
      case 'started': {
        const item = this.#items.itemOf(run.task);
        if (item) this.#reports.get(run.id)?.started(item);
        return;
      }
      case 'printed':
        this.#reports.get(run.id)?.print(progress.line);
        return;
    }
  }

  async #showAsked({ id, task }: AskedRun): Promise<void> {
    await this.#redraw(task);
    const item = this.#items.itemOf(task);
    if (!item) return;
    const request = this.#requests.get(task) ?? new this.#context.api.TestRunRequest([item]);
    this.#requests.delete(task);
    const report = this.#begin(task, request, true);
    report.enqueued(item);
    report.token.onCancellationRequested(() => void this.#context.runs.cancel(task));
    this.#reports.set(id, report);
  }

  async #showEnding(ending: RunEnding): Promise<void> {
    const { id, task } = ending.run;
    const report = this.#reports.get(id);
    this.#reports.delete(id);
    if (!report) return;
    const { t } = this.#context.api.l10n;
    if (ending.kind === 'failed') report.print(messageOf(ending.error, t));
    else if (ending.kind === 'stopped') report.print(t('The run was cancelled.'));
    else if (task.state.run?.id === id) {
      this.#trialNotes.delete(task);
      await this.#redraw(task);
      await this.#report(task, report);
    } else this.#log(task, `the results of ${id} are not shown: a newer run is`);
    report.end();
  }

  #begin(task: OpenTask, request: vscode.TestRunRequest, persist: boolean): TestRunReport {
    const run = this.controller.createTestRun(request, shortId(task.state.taskId), persist);
    return new TestRunReport(this.#context.api, run);
  }

  /** Gives the results of the verdict that the task shows, after what `test.sh` printed. */
  async #report(task: OpenTask, report: TestRunReport): Promise<void> {
    const { l10n } = this.#context.api;
    const item = this.#items.itemOf(task);
    const verdict = task.state.run?.verdict;
    if (!item || !verdict) return;
    report.print(outputText(task.state, l10n.t));
    for (const shown of this.#items.below(item))
      if (shown.node.result) await this.#items.report(task, report, shown.item, shown.node.result);
    report.print(fullOutcome(verdict, l10n.t));
    this.#shownFor.set(task, verdict.holdsFor.solution);
    await this.#redraw(task);
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const subjects = this.#subjectsOf(request);
    const tasks = [...new Set(subjects.filter(({ node }) => !node.trial).map(({ task }) => task))];
    const trials = subjects.filter(({ task, node }) => node.trial && !tasks.includes(task));
    await Promise.all([
      ...tasks.map(async (task) => {
        this.#requests.set(task, request);
        const cancelling = token.onCancellationRequested(() => void this.#context.runs.cancel(task));
        await this.#verify(task);
        cancelling.dispose();
        this.#requests.delete(task);
      }),
      trials.length === 0 ? undefined : this.#runTrials(request, trials, token, this.#plainTrial()),
    ]);
    // The run of a request ends when this does.
    await this.#jobs.done;
  }

  async #debug(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const trials = this.#subjectsOf(request).filter(({ node }) => node.trial);
    await this.#runTrials(request, trials, token, this.#underDebugger());
    await this.#jobs.done;
  }

  #plainTrial(): TrialProfile {
    const { t } = this.#context.api.l10n;
    return {
      name: t('Trial'),
      mode: (_run, signal) => ({
        start: (task, target) => this.#trials.run(task, target, signal),
        t,
        begun: (label) =>
          t('Trial of {0}: it gives no reward and runs only a part of what Verify runs.', label),
        description: t('trial, no reward'),
        cancelled: t('The trial was cancelled.'),
        ended: (message) => t('{0} This was a trial, not a verdict.', message),
      }),
    };
  }

  #underDebugger(): TrialProfile {
    const { t } = this.#context.api.l10n;
    return {
      name: t('Debug test'),
      mode: (run, signal) => ({
        start: (task, target, { label }) => this.#debugging.debug(task, target, { label, run }, signal),
        t,
        begun: (label) => t('Debugging {0}: no reward, and only a part of what Verify runs.', label),
        description: t('debugged, no reward'),
        cancelled: t('Debugging stopped.'),
        ended: (message) => t('{0} This was debugged, and is not a verdict.', message),
      }),
    };
  }

  async #verify(task: OpenTask): Promise<void> {
    const { failures } = this.#context;
    await verifyAndTell(this.#context, task).catch((error: unknown) => failures.report(error));
  }

  #log(task: OpenTask, decision: string): void {
    this.#context.log.debug(`${task.workspace.facts.task}: ${decision}`);
  }

  #subjectsOf(request: vscode.TestRunRequest): readonly TestSubject[] {
    const items = [...(request.include ?? this.#rootItems())];
    const excluded = new Set(request.exclude ?? []);
    return items.flatMap((item) => (excluded.has(item) ? [] : (this.#items.of(item) ?? [])));
  }

  #rootItems(): readonly vscode.TestItem[] {
    const items: vscode.TestItem[] = [];
    this.controller.items.forEach((item) => items.push(item));
    return items;
  }

  async #runTrials(
    request: vscode.TestRunRequest,
    subjects: readonly TestSubject[],
    token: vscode.CancellationToken,
    { name, mode }: TrialProfile,
  ): Promise<void> {
    const run = this.controller.createTestRun(request, name);
    const report = new TestRunReport(this.#context.api, run);
    const controller = new AbortController();
    const endings = [token, report.token].map((one) => one.onCancellationRequested(() => controller.abort()));
    for (const subject of subjects) {
      const { task } = subject;
      const told = await reportTrial(mode(run, controller.signal), this.#items, report, subject);
      if (told.cancelled) break;
      const notes = this.#trialNotes.get(task) ?? new Map<string, string>();
      told.descriptions.forEach((text, id) => notes.set(id, text));
      this.#trialNotes.set(task, notes);
      // What the items of this solution said before still holds; of another one it is outdated by now.
      if (told.solution !== undefined) this.#shownFor.set(task, told.solution);
      await this.#redraw(task);
    }
    endings.forEach((ending) => ending.dispose());
    report.end();
  }
}
