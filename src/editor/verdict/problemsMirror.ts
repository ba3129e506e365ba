/** Mirrors verdicts into the Problems panel, in one collection: the entries of the last run of each task. */
import type * as vscode from 'vscode';
import type { ContainerPath } from '../../task/containerPath.ts';
import { shortened } from '../../wording/shortened.ts';
import { DisposableStore } from '../platform/disposableStore.ts';
import { LastDrawn } from '../platform/lastDrawn.ts';
import type { OpenTask } from '../task/openTask.ts';
import type { OpenTasks } from '../task/openTasks.ts';
import { placeUris, type UriOf } from '../task/taskUri.ts';
import { outdatedProblems, type Problem, problemsOf, type RelatedPlace } from './problems.ts';
import type { RunService } from '../run/runService.ts';
import { linesIn, type LinesOf } from './solutionLines.ts';

const SOURCE = 'Repair Bench';
const MOST_CHARACTERS = 2000;

export class ProblemsMirror {
  readonly #api: typeof vscode;
  readonly #store = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  readonly #shown = new Map<OpenTask, readonly vscode.Uri[]>();
  readonly #drawn = new LastDrawn<OpenTask>();

  constructor(api: typeof vscode, tasks: OpenTasks, runs: Pick<RunService, 'onRunProgress'>) {
    this.#api = api;
    this.#collection = this.#store.add(api.languages.createDiagnosticCollection('repairBench'));
    this.#store.add(
      runs.onRunProgress(({ kind, run }) => {
        if (kind !== 'started') return;
        this.#clear(run.task);
        this.#drawn.forget(run.task);
      }),
    );
    this.#store.add(tasks.onDidAdd((task) => void this.#draw(task)));
    this.#store.add(tasks.onDidChange((task) => void this.#draw(task)));
    this.#store.add(
      tasks.onDidChangeSolution((task) => {
        // Each edit may move lines, and an outdated entry stays only while its line does.
        if (task.state.run?.outdated) void this.#draw(task);
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
    this.#shown.clear();
  }

  async #draw(task: OpenTask): Promise<void> {
    const uriOf = await placeUris(this.#api, task);
    if (this.#store.isDisposed) return;
    const problems = task.state.activity.kind === 'running' ? [] : this.#problemsNow(task);
    if (!this.#drawn.changed(task, problems)) return;
    this.#clear(task);
    const byFile = new Map<ContainerPath, Problem[]>();
    for (const problem of problems) byFile.set(problem.file, [...(byFile.get(problem.file) ?? []), problem]);
    const lines = linesNow(task);
    const uris = [...byFile].map(([file, entries]) => {
      const uri = uriOf({ in: 'solution', path: file });
      const diagnostics = entries.map((entry) => this.#diagnostic(entry, lines, uriOf));
      this.#collection.set(uri, diagnostics);
      return uri;
    });
    this.#shown.set(task, uris);
  }

  #problemsNow(task: OpenTask): readonly Problem[] {
    const { run } = task.state;
    if (!run) return [];
    const t = this.#api.l10n.t;
    const files = task.workspace.task.family.solution.map(({ path }) => path);
    const problems = problemsOf(run.verdict, { files, t });
    if (!run.outdated) return problems;
    // The verified solution was not kept, so nobody knows which of its lines are still the same.
    if (!run.snapshot) return [];
    return outdatedProblems(problems, linesIn(run.snapshot), linesNow(task), t);
  }

  #clear(task: OpenTask): void {
    for (const uri of this.#shown.get(task) ?? []) this.#collection.delete(uri);
    this.#shown.delete(task);
  }

  #diagnostic(problem: Problem, lines: LinesOf, uriOf: UriOf): vscode.Diagnostic {
    const api = this.#api;
    const severity =
      problem.severity === 'error' ? api.DiagnosticSeverity.Error : api.DiagnosticSeverity.Information;
    const diagnostic = new api.Diagnostic(
      this.#range(problem, lines(problem.file)?.[problem.line - 1] ?? ''),
      shortened(problem.message, MOST_CHARACTERS),
      severity,
    );
    diagnostic.source = SOURCE;
    diagnostic.code = problem.code;
    diagnostic.relatedInformation = problem.related.map((place) => this.#related(place, uriOf));
    return diagnostic;
  }

  /** From the first character to the last; from the column on where one is known. */
  #range(problem: Problem, text: string): vscode.Range {
    const line = problem.line - 1;
    const indent = text.length - text.trimStart().length;
    const start = problem.column === undefined ? indent : Math.min(problem.column - 1, text.length);
    return new this.#api.Range(line, start, line, Math.max(text.trimEnd().length, start));
  }

  #related(place: RelatedPlace, uriOf: UriOf): vscode.DiagnosticRelatedInformation {
    const api = this.#api;
    const at = new api.Range(place.line - 1, 0, place.line - 1, 0);
    return new api.DiagnosticRelatedInformation(new api.Location(uriOf(place), at), place.message);
  }
}

function linesNow(task: OpenTask): LinesOf {
  return task.solution ? linesIn(task.solution.files) : () => undefined;
}
