/** The gold that a task ships: a script to run, or files that take the solution's place. */
import type { FamilyFacts, Gold, TaskFiles } from './task.ts';
import { FIXED_FOLDER, isIn, SOLUTION_FOLDER, SOLVE_SCRIPT } from './taskLayout.ts';

/** The first of these that exists: `solution/solve.sh`; files in `solution/` named like the solution's; `tests/fixed/<file>`. */
export function goldOf(files: TaskFiles, family: FamilyFacts): Gold {
  const inSolution = [...files.values()].filter((file) => isIn(SOLUTION_FOLDER, file.path));
  if (files.has(SOLVE_SCRIPT)) return { kind: 'script', files: inSolution };
  for (const from of [SOLUTION_FOLDER, FIXED_FOLDER] as const) {
    const matching = matchingFiles(files, from, family);
    if (matching.length > 0) return { kind: 'files', from, files: matching };
  }
  return { kind: 'none' };
}

/** `pkg/a.py` in the folder stands for the solution file whose path ends with it; of several, the shortest path. */
function matchingFiles(
  files: TaskFiles,
  folder: string,
  family: FamilyFacts,
): Extract<Gold, { kind: 'files' }>['files'] {
  return [...files.values()].flatMap((file) => {
    if (!isIn(folder, file.path)) return [];
    const name = file.path.slice(folder.length);
    const [target] = family.solution
      .map(({ path }) => path)
      .filter((path) => path.endsWith(name))
      .sort((left, right) => left.length - right.length);
    return target === undefined ? [] : [{ path: target, bytes: file.bytes }];
  });
}
