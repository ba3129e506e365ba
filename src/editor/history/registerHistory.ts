/** The Run view, with the last run of the current task, and the History view, with all of its runs. */
import type { DisposableStore } from '../platform/disposableStore.ts';
import type { EditorContext } from '../run/editorContext.ts';
import { HistoryView } from './historyView.ts';
import { RunView } from './runView.ts';

export interface Histories {
  readonly runView: RunView;
  readonly historyView: HistoryView;
}

export function registerHistory(context: EditorContext, store: DisposableStore): Histories {
  const { api, current, failures, runs, tasks } = context;
  const runView = store.add(new RunView(api, current));
  const historyView = store.add(new HistoryView(api, tasks, current, failures.report));
  store.add(
    runs.onDidEndRun(({ kind, run }) => {
      if (kind === 'judged' && run.task === current.task) void runView.selectDecisive();
    }),
  );
  return { runView, historyView };
}
