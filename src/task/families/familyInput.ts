/** The input and the result of a family's decision. */
import type { TaskMetadata } from '../metadata.ts';
import type { FamilyFacts, PlacedFile, TaskFiles } from '../task.ts';
import type { TaskProblem } from '../taskProblem.ts';

/** The parts of a task that a family examines. */
export interface FamilyInput {
  readonly files: TaskFiles;
  /** What the Dockerfile places in the image. */
  readonly placed: readonly PlacedFile[];
  readonly metadata: TaskMetadata;
  readonly instruction: string;
  /** `tests/test.sh` and the Dockerfile as text, `''` when missing. */
  readonly testScript: string;
  readonly dockerfile: string;
}

export interface FamilyAnswer {
  readonly facts: FamilyFacts;
  readonly problems: readonly TaskProblem[];
}
