/** One task that is open in this window: its workspace, its solution as it is right now, and its last run. */
import { isDeepStrictEqual } from 'node:util';
import { faultOf } from '../../fault/repairBenchError.ts';
import type { Phase } from '../../runtime/runtime.ts';
import type { SolutionState } from '../../verifier/plan/solution.ts';
import type { Revealable } from '../../workspace/workspaceFile.ts';
import type { TaskWorkspace } from '../../workspace/taskWorkspace.ts';
import { ChangeEvent } from '../platform/changeEvent.ts';
import { FoldedRefresh } from '../platform/foldedRefresh.ts';
import type { Activity, ShownRun, ShownVerdict, TaskState } from './taskState.ts';

/** Reads the solution as a person sees it: files on disk, with unsaved editors over them. */
export type ReadSolutionNow = (workspace: TaskWorkspace) => Promise<SolutionState>;

export class OpenTask {
  readonly folder: string;
  #workspace: TaskWorkspace;
  readonly #readNow: ReadSolutionNow;
  #solution: SolutionState | undefined;
  /** Why the solution could not be read. */
  #failure: unknown;
  #solutionHash: string | undefined;
  #state: TaskState;
  readonly #refreshing = new FoldedRefresh(() => this.#refreshOnce());
  /** Host path of the newest file in `runs/` whose run was shown here. */
  #newestSaved: string | undefined;
  readonly #changed = new ChangeEvent<TaskState>();
  /** The state changed. Does not fire for an edit that leaves the state as it was. */
  readonly onDidChange = this.#changed.on;
  readonly #edited = new ChangeEvent<void>();
  /** The solution, as last read, changed. */
  readonly onDidChangeSolution = this.#edited.on;
  readonly #ran = new ChangeEvent<void>();
  /** The runs in its workspace changed: this or another window saved or deleted one. */
  readonly onDidChangeRuns = this.#ran.on;

  constructor(workspace: TaskWorkspace, readNow: ReadSolutionNow) {
    this.folder = workspace.folder;
    this.#workspace = workspace;
    this.#readNow = readNow;
    this.#state = {
      folder: workspace.folder,
      taskId: workspace.facts.task,
      solution: 'unchanged',
      refusesStarter: workspace.task.family.refusesStarter,
      goldFix: false,
      activity: { kind: 'idle' },
      run: undefined,
    };
  }

  get workspace(): TaskWorkspace {
    return this.#workspace;
  }

  get state(): TaskState {
    return this.#state;
  }

  /** The solution as it was last read; undefined when it could not be. */
  get solution(): SolutionState | undefined {
    return this.#solution;
  }

  /** Hash of the solution as it was last read. */
  get solutionHash(): string | undefined {
    return this.#solutionHash;
  }

  /** Whether the person has been shown this kind of spoiler. */
  isRevealed(kind: Revealable): boolean {
    return this.#workspace.facts.revealed[kind] !== undefined;
  }

  /** Replaces the workspace by the one that is on disk now. */
  setWorkspace(workspace: TaskWorkspace): void {
    this.#workspace = workspace;
    this.#changed.fire(this.#state);
  }

  /** Called when the runs in the workspace may have changed. */
  noteRuns(): void {
    this.#ran.fire();
  }

  setActivity(activity: Activity): void {
    this.#update({ activity });
  }

  setPhase(phase: Phase): void {
    if (this.#state.activity.kind === 'running') this.#update({ activity: { kind: 'running', phase } });
  }

  /** Shows a run; `snapshot` is the solution that it verified, where that was kept. */
  setRun(run: Pick<ShownRun, 'id' | 'verdict' | 'at'>, snapshot?: SolutionState): void {
    const { id, verdict, at } = run;
    const holds = this.#isCurrent(run);
    this.#update({ run: { id, verdict, at, ...holds, ...(snapshot ? { snapshot: snapshot.files } : {}) } });
  }

  /** The run that is shown was saved as `file`, a host path, so that it is not shown again when it is found there. */
  noteSaved(file: string): void {
    this.#newestSaved = file;
  }

  /** Shows a run that was found on disk, unless it is no newer than what was shown or saved here; says whether it did. */
  showSaved(
    { file, verdict, at }: { file: string; verdict: ShownVerdict; at: string },
    kept?: SolutionState,
  ): boolean {
    if (!this.isNews(file)) return false;
    this.#newestSaved = file;
    this.setRun({ id: file, verdict, at }, kept);
    return true;
  }

  /** Whether a saved run is newer than all that were shown or saved here. While a run is under way nothing is news. */
  isNews(file: string): boolean {
    // The names of run files sort by time.
    return this.#state.activity.kind === 'idle' && (this.#newestSaved ?? '') < file;
  }

  /** Reads the solution again and marks what no longer holds. Calls while it works are folded into one more. */
  refresh(): Promise<void> {
    return this.#refreshing.run();
  }

  /** Reads the solution again and gives it. @throws WorkspaceError when it cannot be read */
  async readSolution(): Promise<SolutionState> {
    await this.refresh();
    if (this.#solution) return this.#solution;
    throw this.#failure;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#edited.dispose();
    this.#ran.dispose();
  }

  async #refreshOnce(): Promise<void> {
    const [{ isUnchanged, solutionHash }, { hasGoldFix }] = await Promise.all([
      import('../../verifier/plan/solution.ts'),
      import('../../gold/goldFix.ts'),
    ]);
    const goldFix = await hasGoldFix(this.#workspace);
    const before = this.#solutionHash;
    let state: TaskState;
    try {
      this.#solution = await this.#readNow(this.#workspace);
      const solution = isUnchanged(this.#workspace.task, this.#solution) ? 'unchanged' : 'changed';
      this.#solutionHash = solutionHash(this.#solution);
      const { unreadable: _why, gone: _gone, ...rest } = this.#state;
      state = { ...rest, solution, goldFix };
    } catch (error) {
      this.#solution = undefined;
      this.#solutionHash = undefined;
      this.#failure = error;
      const gone = error instanceof Error && 'code' in error && error.code === 'not-a-workspace';
      state = { ...this.#state, solution: 'unreadable', unreadable: faultOf(error), gone, goldFix };
    }
    const { run } = state;
    this.#become(run ? { ...state, run: { ...run, ...this.#isCurrent(run) } } : state);
    if (this.#solutionHash !== before) this.#edited.fire();
  }

  /** Whether the verdict holds; if it does, the solution as it is now is what it was computed for. */
  #isCurrent({ id, verdict }: Pick<ShownRun, 'id' | 'verdict'>): Pick<ShownRun, 'outdated' | 'snapshot'> {
    const now = this.#solution;
    const holds =
      now !== undefined &&
      verdict.holdsFor.task === this.#workspace.task.hash &&
      this.#solutionHash === verdict.holdsFor.solution;
    const known = this.#state.run?.id === id ? this.#state.run.snapshot : undefined;
    return holds ? { outdated: false, snapshot: known ?? now.files } : { outdated: true, snapshot: known };
  }

  #update(part: Partial<TaskState>): void {
    this.#become({ ...this.#state, ...part });
  }

  #become(state: TaskState): void {
    // Verdicts and snapshots are compared by identity first, so this is cheap.
    if (isDeepStrictEqual(this.#state, state)) return;
    this.#state = state;
    this.#changed.fire(state);
  }
}
