// Open tasks in a small `vscode`: real workspaces in a temporary folder, and what is current among them.
import { DisposableStore } from '../../../../src/editor/platform/disposableStore.ts';
import { CurrentTask } from '../../../../src/editor/task/currentTask.ts';
import type { OpenTask } from '../../../../src/editor/task/openTask.ts';
import { OpenTasks } from '../../../../src/editor/task/openTasks.ts';
import type { ShownRun } from '../../../../src/editor/task/taskState.ts';
import type { ScoredVerdict } from '../../../../src/verifier/verdict/verdict.ts';
import { openOrCreateWorkspace } from '../../../../src/workspace/createWorkspace.ts';
import type { WorkspaceOrigin } from '../../../../src/workspace/workspaceFile.ts';
import * as host from '../../../host/until.ts';
import { ORIGIN, sampleTask, temporaryFolder } from '../../workspace/helpers/sampleTasks.ts';
import { fakeVscode, type FakeVscode } from './fakeVscode.ts';

export interface OpenedTasks {
  readonly fake: FakeVscode;
  readonly tasks: OpenTasks;
  readonly current: CurrentTask;
  /** What ends with the test. */
  readonly owned: DisposableStore;
  /** Opens a sample task in a workspace of its own. */
  open(id: string, origin?: WorkspaceOrigin): Promise<OpenTask>;
}

/** Everything anew for each test; call inside `describe`. */
export function openedTasks(): () => OpenedTasks {
  const root = temporaryFolder();
  let opened: OpenedTasks | undefined;
  beforeEach(() => {
    const fake = fakeVscode();
    const owned = new DisposableStore();
    const tasks = owned.add(new OpenTasks(fake.api, { debug: () => undefined }));
    const current = owned.add(new CurrentTask(fake.api, tasks));
    const open = async (id: string, origin = ORIGIN): Promise<OpenTask> => {
      const { workspace } = await openOrCreateWorkspace(root(), await sampleTask(id), origin);
      return tasks.adopt(workspace);
    };
    opened = { fake, tasks, current, owned, open };
  });
  afterEach(() => opened?.owned.dispose());
  return () => {
    if (!opened) throw new Error('Ask for the tasks inside a test.');
    return opened;
  };
}

/** What a verdict on the solution as it is now holds for. */
export function holdsFor(task: OpenTask): ScoredVerdict['holdsFor'] {
  return { task: task.workspace.task.hash, solution: task.solutionHash ?? '', image: 'sha256:0' };
}

/** A run as the editor shows it. */
export function runOf(verdict: ScoredVerdict): Pick<ShownRun, 'id' | 'verdict' | 'at'> {
  return { id: 'run', verdict, at: '2026-01-01T00:00:00.000Z' };
}

export function until<T>(what: string, condition: () => T | Promise<T>): Promise<NonNullable<T>> {
  return host.until(what, condition, 10_000);
}
