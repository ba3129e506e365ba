/** What `activate` returns: the parts that show something, so that a test can see from outside what a person sees. */
import type { TestController } from 'vscode';
import type { TasksView } from './datasets/tasksView.ts';
import type { HistoryView } from './history/historyView.ts';
import type { RunView } from './history/runView.ts';
import type { CurrentTask } from './task/currentTask.ts';
import type { StatusItem } from './verdict/statusItem.ts';

export interface ExtensionApi {
  /** Milliseconds that `activate` took. */
  readonly activationMs: number;
  readonly current: CurrentTask;
  readonly tasksView: TasksView;
  readonly runView: RunView;
  readonly historyView: HistoryView;
  readonly status: StatusItem;
  /** Of the Testing view. */
  readonly testController: TestController;
}
