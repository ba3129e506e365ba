/** The gold that a task ships: a script to run, or files that take the solution's place. */
import type { FamilyFacts, Gold, TaskFiles } from './task.ts';

/** In this order: `solution/solve.sh`; files in `solution/` named like the solution's; `tests/fixed/<file>`. */
export function goldOf(files: TaskFiles, family: FamilyFacts): Gold {
  const inSolution = [...files.values()].filter((file) => file.path.startsWith('solution/'));
  if (files.has('solution/solve.sh')) return { kind: 'script', files: inSolution };
  for (const from of ['solution', 'tests/fixed'] as const) {
    const matching = matchingFiles(files, from, family);
    if (matching.length > 0) return { kind: 'files', from, files: matching };
  }
  return { kind: 'none' };
}

/** `pkg/a.py` in the folder stands for the solution file whose path ends with it; of several, the shortest path. */
function matchingFiles(
  files: TaskFiles,
  folder: 'solution' | 'tests/fixed',
  family: FamilyFacts,
): Extract<Gold, { kind: 'files' }>['files'] {
  return [...files.values()].flatMap((file) => {
    if (!file.path.startsWith(`${folder}/`)) return [];
    const name = file.path.slice(folder.length);
    const [target] = family.solution
      .map(({ path }) => path)
      .filter((path) => path.endsWith(name))
      .sort((left, right) => left.length - right.length);
    return target === undefined ? [] : [{ path: target, bytes: file.bytes }];
  });
}
