/** The tasks that are open in this window, found by any file of theirs, and kept up to date with disk and editors. */
import { sep } from 'node:path';
import type * as vscode from 'vscode';
import type { ContainerPath } from '../../task/containerPath.ts';
import type { TaskWorkspace } from '../../workspace/taskWorkspace.ts';
import { ChangeEvent } from '../platform/changeEvent.ts';
import { DisposableStore, type Ending } from '../platform/disposableStore.ts';
import { logDecision } from './logDecision.ts';
import { OpenTask } from './openTask.ts';
import { readSolutionNow } from './solutionNow.ts';
import { taskAddress } from './taskUri.ts';

export interface SolutionFileAt {
  readonly task: OpenTask;
  /** Its path in the container. */
  readonly path: ContainerPath;
}

export class OpenTasks {
  readonly #api: typeof vscode;
  readonly #log: Pick<vscode.LogOutputChannel, 'debug'>;
  readonly #store = new DisposableStore();
  readonly #tasks = new Map<string, OpenTask>();
  readonly #loading = new Map<string, Promise<OpenTask>>();
  readonly #watchers = new Map<OpenTask, Ending>();
  readonly #added = new ChangeEvent<OpenTask>();
  readonly #changed = new ChangeEvent<OpenTask>();
  readonly #edited = new ChangeEvent<OpenTask>();
  readonly #ran = new ChangeEvent<OpenTask>();
  /** A task was opened. */
  readonly onDidAdd = this.#added.on;
  /** The state of a task changed. */
  readonly onDidChange = this.#changed.on;
  /** The solution of a task changed, whether or not its state changed with it. */
  readonly onDidChangeSolution = this.#edited.on;
  /** The runs of a task changed. */
  readonly onDidChangeRuns = this.#ran.on;

  constructor(api: typeof vscode, log: Pick<vscode.LogOutputChannel, 'debug'>) {
    this.#api = api;
    this.#log = log;
    const touched = (document: vscode.TextDocument): void => {
      void this.loadedFor(document.uri)?.refresh();
    };
    this.#store.add(api.workspace.onDidChangeTextDocument(({ document }) => touched(document)));
    this.#store.add(api.workspace.onDidSaveTextDocument(touched));
    this.#store.add(api.workspace.onDidCloseTextDocument(touched));
    // Some disks cannot be watched, so these events check again.
    const checkAll = (): void => {
      for (const task of this.#tasks.values()) void task.refresh();
    };
    this.#store.add(api.workspace.onDidCreateFiles(checkAll));
    this.#store.add(api.workspace.onDidDeleteFiles(checkAll));
    this.#store.add(api.workspace.onDidRenameFiles(checkAll));
    this.#store.add(
      api.window.onDidChangeWindowState(({ focused }) => {
        if (focused) checkAll();
      }),
    );
  }

  get all(): readonly OpenTask[] {
    return [...this.#tasks.values()];
  }

  /** The loaded task that `uri` belongs to. Reads nothing. */
  loadedFor(uri: vscode.Uri): OpenTask | undefined {
    const address = taskAddress(uri);
    if (address) return this.#tasks.get(address.folder);
    if (uri.scheme !== 'file') return undefined;
    return this.all.find(({ folder }) => uri.fsPath === folder || uri.fsPath.startsWith(folder + sep));
  }

  /** The task that `uri` belongs to, loaded when it is not yet; undefined for files of no task, or of a damaged one. */
  async findFor(uri: vscode.Uri): Promise<OpenTask | undefined> {
    const loaded = this.loadedFor(uri);
    if (loaded) return loaded;
    const address = taskAddress(uri);
    if (!address && uri.scheme !== 'file') return undefined;
    const { findWorkspaceOf } = await import('../../workspace/taskWorkspace.ts');
    const folder = await findWorkspaceOf(address?.folder ?? uri.fsPath);
    return folder === undefined ? undefined : this.load(folder).catch(() => undefined);
  }

  /** The file of the solution that `uri` is, of a task that is loaded; undefined for any other file. */
  async solutionFileAt(uri: vscode.Uri): Promise<SolutionFileAt | undefined> {
    const task = uri.scheme === 'file' ? this.loadedFor(uri) : undefined;
    if (!task) return undefined;
    const { containerPathOf } = await import('../../workspace/workPaths.ts');
    const path = containerPathOf(task.workspace, uri.fsPath);
    return path === undefined ? undefined : { task, path };
  }

  /** The task whose workspace is `folder`. @throws WorkspaceError when it is none, or damaged */
  async load(folder: string): Promise<OpenTask> {
    const known = this.#tasks.get(folder) ?? this.#loading.get(folder);
    if (known) return known;
    const loading = this.#loadFrom(folder).finally(() => this.#loading.delete(folder));
    this.#loading.set(folder, loading);
    return loading;
  }

  /** Opens a workspace that was just created or found, or refreshes it where it is open. */
  async adopt(workspace: TaskWorkspace): Promise<OpenTask> {
    const known = this.#tasks.get(workspace.folder);
    if (known) {
      known.setWorkspace(workspace);
      // The folder may be another one of the same name, which the old watcher does not see.
      await this.#watch(known);
      await known.refresh();
      return known;
    }
    const task = new OpenTask(workspace, (current) => readSolutionNow(this.#api, current));
    this.#tasks.set(workspace.folder, task);
    this.#store.add(task);
    this.#store.add(task.onDidChange(() => this.#changed.fire(task)));
    this.#store.add(this.#logOutdating(task));
    this.#store.add(task.onDidChangeSolution(() => this.#edited.fire(task)));
    this.#store.add(
      task.onDidChangeRuns(() => {
        this.#ran.fire(task);
        void this.#showLastRun(task);
      }),
    );
    await this.#watch(task);
    await task.refresh();
    await this.#showLastRun(task);
    this.#added.fire(task);
    return task;
  }

  dispose(): void {
    this.#store.dispose();
    this.#tasks.clear();
    this.#added.dispose();
    this.#changed.dispose();
    this.#edited.dispose();
    this.#ran.dispose();
  }

  async #loadFrom(folder: string): Promise<OpenTask> {
    const { loadWorkspace } = await import('../../workspace/taskWorkspace.ts');
    const workspace = await loadWorkspace(folder);
    if (workspace instanceof Error) throw workspace;
    return this.adopt(workspace);
  }

  /** Shows the newest run on disk where another window or the command line saved it. Never throws. */
  async #showLastRun(task: OpenTask): Promise<void> {
    const [{ lastRun }, { readKeptSolution }] = await Promise.all([
      import('../../workspace/runs/runs.ts'),
      import('../../workspace/runs/keptSolutions.ts'),
    ]);
    const last = await lastRun(task.workspace);
    if (!last || !task.isNews(last.file)) return;
    const { file, record } = last;
    const { verdict, at } = record;
    const kept = await readKeptSolution(task.workspace, verdict.holdsFor.solution).catch(() => undefined);
    if (task.showSaved({ file, verdict, at }, kept))
      logDecision(this.#log, task, `shows the run that was saved as ${file}`);
  }

  #logOutdating(task: OpenTask): Ending {
    let before = task.state.run;
    return task.onDidChange(({ run }) => {
      if (run && run.id === before?.id && run.outdated !== before.outdated)
        logDecision(
          this.#log,
          task,
          run.outdated
            ? 'its last run is outdated, as the solution or the task is another one now'
            : 'its last run holds again',
        );
      before = run;
    });
  }

  /** Files that change outside the editor: by other programs, version control, or a deletion. */
  async #watch(task: OpenTask): Promise<void> {
    const { watchWorkspace } = await import('./folderWatch.ts');
    const before = this.#watchers.get(task);
    if (before) this.#store.end(before);
    const watcher = watchWorkspace(task.folder, {
      changed: () => void task.refresh(),
      ran: () => task.noteRuns(),
    });
    this.#watchers.set(task, this.#store.add(watcher));
  }
}
