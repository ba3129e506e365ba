/** What a run verifies: a person's solution, or a gold on top of the starter. */
import type { Gold, Task } from '../../task/task.ts';
import type { SolutionState } from './solution.ts';

export type Subject =
  | { readonly kind: 'solution'; readonly solution: SolutionState }
  /** A gold, as a script or files, on top of the starter; the task's own unless `gold` is given. */
  | { readonly kind: 'gold'; readonly starter: SolutionState; readonly gold?: Gold };

export interface ResolvedSubject {
  readonly solution: SolutionState;
  /** The script that completes the solution in the container. */
  readonly oracle?: Extract<Gold, { kind: 'script' }>;
}

export function resolveSubject(task: Pick<Task, 'gold'>, subject: Subject): ResolvedSubject {
  if (subject.kind === 'solution') return { solution: subject.solution };
  const gold = subject.gold ?? task.gold;
  switch (gold.kind) {
    case 'none':
      return { solution: subject.starter };
    case 'script':
      return { solution: subject.starter, oracle: gold };
    case 'files': {
      const files = new Map(subject.starter.files);
      for (const { path, bytes } of gold.files) files.set(path, bytes);
      return { solution: { files } };
    }
  }
}
