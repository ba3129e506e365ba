/** Decides which family a task follows, and asks that family for its facts. */
import { bugsInPyFacts, looksLikeBugsInPy } from './bugsinpy.ts';
import type { PlacedFile } from './expandCopies.ts';
import { harborFacts } from './harbor.ts';
import { looksLikeManyBugs, manyBugsFacts } from './manybugs.ts';
import type { TaskMetadata } from './metadata.ts';
import type { FamilyFacts, TaskFiles, TaskProblem } from './task.ts';

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

/** The set that `metadata.json` names decides; only where it names none do the files. */
export function familyOf(input: FamilyInput): FamilyAnswer {
  switch (input.metadata.source) {
    case 'bugsinpy':
      return bugsInPyFacts(input);
    case 'manybugs':
      return manyBugsFacts(input);
    case undefined:
      if (looksLikeManyBugs(input)) return manyBugsFacts(input);
      if (looksLikeBugsInPy(input)) return bugsInPyFacts(input);
      return harborFacts(input);
    default:
      return harborFacts(input);
  }
}
