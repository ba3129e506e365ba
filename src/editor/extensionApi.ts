/**
 * What `activate` returns: a read-only look at what the extension shows, for tests and for other extensions.
 * Everything here is plain text or plain data; nothing in it changes anything.
 */
import type { CurrentTask } from './task/currentTask.ts';
import type { HistoryView } from './history/historyView.ts';
import type { RunView } from './history/runView.ts';
import type { StatusItem } from './verdict/statusItem.ts';
import { type LiveState, liveStateOf, type TaskState } from './task/taskState.ts';
import type { TasksView } from './datasets/tasksView.ts';
import type { TestingView } from './testing/testingView.ts';

export interface ExtensionApi {
  /** Milliseconds that `activate` took. */
  readonly activationMs: number;
  /** The current task's state; undefined when no task is current. */
  readonly state: () => TaskState | undefined;
  readonly liveState: () => LiveState | undefined;
  /** The views as text, one line a node. */
  readonly runView: () => string;
  readonly tasksView: () => Promise<string>;
  /** Empty while the view is not seen. */
  readonly historyView: () => string;
  readonly statusText: () => string;
  /** Items of the Testing view, and its last runs, oldest first. */
  readonly testingView: () => string;
  readonly testRuns: () => readonly string[];
}

export function extensionApi(
  parts: {
    readonly current: CurrentTask;
    readonly runView: RunView;
    readonly tasksView: TasksView;
    readonly historyView: HistoryView;
    readonly status: StatusItem;
    readonly testing: TestingView;
  },
  activationMs: number,
): ExtensionApi {
  const { current, runView, tasksView, historyView, status, testing } = parts;
  return {
    activationMs,
    state: () => current.task?.state,
    liveState: () => current.task && liveStateOf(current.task.state),
    runView: () => runView.render(),
    tasksView: () => tasksView.render(),
    historyView: () => historyView.render(),
    statusText: () => status.text,
    testingView: () => testing.render(),
    testRuns: () => testing.renderRuns(),
  };
}
