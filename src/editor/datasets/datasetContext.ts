/** The context of everything about datasets: that of the window, the open datasets, and the marks of their rows. */
import { join } from 'node:path';
import type { TaskContext } from '../task/taskContext.ts';
import type { DatasetLibrary } from './datasetLibrary.ts';
import type { RowMarks } from './rowMarks.ts';

export interface DatasetContext extends TaskContext {
  readonly library: DatasetLibrary;
  readonly marks: RowMarks;
}

/** Opens a dataset in the Tasks view and shows the view. */
export async function addDataset({ api, library }: DatasetContext, location: string): Promise<void> {
  await api.window.withProgress({ location: { viewId: 'repairBench.tasks' } }, () => library.add(location));
  await api.commands.executeCommand('repairBench.tasks.focus', { preserveFocus: true });
}

/** Host path of the dataset that ships with the extension. */
export function sampleDataset({ extension }: TaskContext): string {
  return join(extension.extensionPath, 'media', 'samples', 'tasks.parquet');
}
