/** What goes into a family's decision and what comes out. */
import type { TaskMetadata } from '../metadata.ts';
import type { FamilyFacts, PlacedFile, TaskFiles } from '../task.ts';
import type { TaskProblem } from '../taskProblem.ts';

/** What a family looks at. */
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
