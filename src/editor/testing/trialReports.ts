/** Trials as test runs: tests that a person runs alone, as they are or under the debugger. */
import type * as vscode from 'vscode';
import type { DebugTests } from '../debug/debugTests.ts';
import type { EditorContext } from '../run/editorContext.ts';
import { Trials } from '../run/trials.ts';
import type { TestSubject } from './testItems.ts';
import type { TestResults } from './testResults.ts';
import { TestRunReport } from './testRunReport.ts';
import { reportTrial, type TrialMode } from './testTrial.ts';

export class TrialReports {
  readonly #context: EditorContext;
  readonly #controller: vscode.TestController;
  readonly #results: TestResults;
  readonly #trials: Trials;
  readonly #debugging: DebugTests;

  constructor(
    context: EditorContext,
    controller: vscode.TestController,
    results: TestResults,
    debugging: DebugTests,
  ) {
    this.#context = context;
    this.#controller = controller;
    this.#results = results;
    this.#trials = new Trials(context);
    this.#debugging = debugging;
  }

  /** Tries the subjects one after the other, as the answer to a request; the person may cancel all. */
  async run(
    request: vscode.TestRunRequest,
    subjects: readonly TestSubject[],
    token: vscode.CancellationToken,
    how: 'plain' | 'debugged',
  ): Promise<void> {
    const { t } = this.#context.api.l10n;
    const run = this.#controller.createTestRun(request, how === 'plain' ? t('Trial') : t('Debug test'));
    const report = new TestRunReport(this.#context.api, run);
    const controller = new AbortController();
    const listeners = [token, report.token].map((each) =>
      each.onCancellationRequested(() => controller.abort()),
    );
    const mode = how === 'plain' ? this.#plain(controller.signal) : this.#debugged(run, controller.signal);
    for (const subject of subjects) {
      const outcome = await reportTrial(mode, this.#results.items, report, subject);
      if (outcome.cancelled) break;
      await this.#results.addTrial(subject.task, outcome);
    }
    listeners.forEach((listener) => listener.dispose());
    report.end();
  }

  #plain(signal: AbortSignal): TrialMode {
    const { t } = this.#context.api.l10n;
    return {
      start: (task, target) => this.#trials.run(task, target, signal),
      t,
      begun: (label) =>
        t('Trial of {0}: it gives no reward and runs only a part of what Verify runs.', label),
      description: t('trial, no reward'),
      cancelled: t('The trial was cancelled.'),
      ended: (message) => t('{0} This was a trial, not a verdict.', message),
    };
  }

  #debugged(run: vscode.TestRun, signal: AbortSignal): TrialMode {
    const { t } = this.#context.api.l10n;
    return {
      start: (task, target, { label }) => this.#debugging.debug(task, target, { label, run }, signal),
      t,
      begun: (label) => t('Debugging {0}: no reward, and only a part of what Verify runs.', label),
      description: t('debugged, no reward'),
      cancelled: t('Debugging stopped.'),
      ended: (message) => t('{0} This was a debug session, not a verdict.', message),
    };
  }
}
