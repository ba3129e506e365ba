/** Verdicts in Problems, the status bar, lenses, hovers, and as documents that show what a verifier printed. */
import type { DisposableStore } from '../platform/disposableStore.ts';
import type { EditorContext } from '../run/editorContext.ts';
import { registerFailureHovers } from './failureHover.ts';
import { OutputDocuments } from './outputDocuments.ts';
import { ProblemsMirror } from './problemsMirror.ts';
import { SolutionLenses } from './solutionLenses.ts';
import { StatusItem } from './statusItem.ts';

export interface Verdicts {
  readonly output: OutputDocuments;
  readonly status: StatusItem;
}

export function registerVerdict(context: EditorContext, store: DisposableStore): Verdicts {
  const { api, current, runs, tasks } = context;
  const output = store.add(new OutputDocuments(api));
  store.add(output.register());
  store.add(new ProblemsMirror(api, tasks, runs));
  store.add(new SolutionLenses(context));
  store.add(registerFailureHovers(api, tasks));
  return { output, status: store.add(new StatusItem(api, current)) };
}
