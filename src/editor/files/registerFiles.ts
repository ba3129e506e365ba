/** A task's files in editors: read-only files, spoilers, starter marks, earlier solutions. */
import type { DisposableStore } from '../platform/disposableStore.ts';
import type { TaskContext } from '../task/taskContext.ts';
import { DocumentEncodings } from './documentEncodings.ts';
import { Reveal } from './reveal.ts';
import { RevealOnOpen } from './revealOnOpen.ts';
import { SolutionDocuments } from './solutionDocuments.ts';
import { StarterMarks } from './starterMarks.ts';
import { TaskFileSystem } from './taskFileSystem.ts';
import { TaskOpener } from './taskOpener.ts';

export interface Files {
  readonly opener: TaskOpener;
  /** Asks before a spoiler is shown. */
  readonly reveal: Reveal;
  /** The solutions of earlier runs. */
  readonly documents: SolutionDocuments;
}

export function registerFiles(context: TaskContext, store: DisposableStore): Files {
  const { api, tasks } = context;
  const taskFiles = store.add(new TaskFileSystem(api, tasks));
  store.add(taskFiles.register());
  const reveal = new Reveal(context, taskFiles);
  const opener = new TaskOpener(api, reveal);
  const documents = new SolutionDocuments(api, tasks);
  store.add(documents.register());
  store.add(new RevealOnOpen(context, reveal));
  store.add(new DocumentEncodings(api, tasks, opener));
  store.add(new StarterMarks(api, tasks));
  return { opener, reveal, documents };
}
