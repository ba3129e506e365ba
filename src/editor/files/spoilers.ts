/** Which files of a task give tests or solution away. Pure. */
import { FIXED_FOLDER, isIn, SOLUTION_FOLDER, TESTS_FOLDER } from '../../task/taskLayout.ts';
import type { Revealable } from '../../workspace/workspaceFile.ts';

/** What a solver should not see in a task file; undefined for files anybody may read. */
export function spoilerOf(path: string): Revealable | undefined {
  if (/(^|\/)(expected|gold|fix|solution)[^/]*\.(diff|patch)$/i.test(path)) return 'expected-diff';
  if (isIn(SOLUTION_FOLDER, path) || path === SOLUTION_FOLDER || isIn(FIXED_FOLDER, path)) return 'gold';
  return isIn(TESTS_FOLDER, path) ? 'tests' : undefined;
}

/** The text shown in place of a file that was not revealed. */
export function hiddenText(path: string, kind: Revealable): string {
  const what = kind === 'tests' ? "the task's tests" : "the task's solution";
  return [
    `# ${path} is hidden, because it shows ${what}.`,
    '# Run the command "Repair Bench: Browse Task Files…" and choose this file to reveal it.',
    '',
  ].join('\n');
}
