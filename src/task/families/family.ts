/** Decides which family a task follows, and asks that family for its facts. */
import { bugsInPyFacts, looksLikeBugsInPy } from './bugsinpy.ts';
import type { FamilyAnswer, FamilyInput } from './familyInput.ts';
import { harborFacts } from './harbor.ts';
import { looksLikeManyBugs, manyBugsFacts } from './manybugs.ts';

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
