/** Which solution a run is about: one that a person made, or a gold over the starter. */
import type { Gold, Task } from '../../task/task.ts';
import type { SolutionState } from './solution.ts';

/** What is verified. */
export type Subject =
  | { readonly kind: 'solution'; readonly solution: SolutionState }
  /** A gold, by script or by files, over the starter: the task's own unless another one is given. */
  | { readonly kind: 'gold'; readonly starter: SolutionState; readonly gold?: Gold };

export interface ResolvedSubject {
  readonly solution: SolutionState;
  /** Makes the rest of the solution in the container. */
  readonly script?: Extract<Gold, { kind: 'script' }>;
}

export function resolveSubject(task: Pick<Task, 'gold'>, subject: Subject): ResolvedSubject {
  if (subject.kind === 'solution') return { solution: subject.solution };
  const gold = subject.gold ?? task.gold;
  switch (gold.kind) {
    case 'none':
      return { solution: subject.starter };
    case 'script':
      return { solution: subject.starter, script: gold };
    case 'files': {
      const files = new Map(subject.starter.files);
      for (const { path, bytes } of gold.files) files.set(path, bytes);
      return { solution: { files } };
    }
  }
}
