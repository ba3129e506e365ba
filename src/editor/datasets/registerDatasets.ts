/** The Tasks view: the datasets that are open, and how far the work on their rows got. */
import { rootOfWorkspaces } from './openRow.ts';
import type { DisposableStore } from '../platform/disposableStore.ts';
import type { TaskContext } from '../task/taskContext.ts';
import type { DatasetContext } from './datasetContext.ts';
import { DatasetLibrary } from './datasetLibrary.ts';
import { RowMarks } from './rowMarks.ts';
import { TasksView } from './tasksView.ts';

export interface Datasets extends DatasetContext {
  readonly view: TasksView;
}

export function registerDatasets(context: TaskContext, store: DisposableStore): Datasets {
  const { api, extension, settings, tasks } = context;
  const library = store.add(
    new DatasetLibrary(
      async (location) => (await import('../../dataset/openDataset.ts')).openDataset(location),
      extension.workspaceState,
      extension.globalState,
    ),
  );
  const marks = store.add(new RowMarks(() => rootOfWorkspaces(context), tasks));
  const view = store.add(new TasksView(api, library, marks));
  store.add(settings.onDidChange('workspaceFolder', () => void marks.refresh()));
  return { ...context, library, marks, view };
}
