/** Which task files give something away, and what kind of thing. Pure. */
import type { Revealable } from '../workspace/workspaceFile.ts';

/** What a solver should not see in a task file; undefined for files anybody may read. */
export function spoilerOf(path: string): Revealable | undefined {
  if (/(^|\/)(expected|gold|fix|solution)[^/]*\.(diff|patch)$/i.test(path)) return 'expected-diff';
  if (path.startsWith('solution/') || path === 'solution') return 'gold';
  if (path.startsWith('tests/fixed/')) return 'gold';
  return path.startsWith('tests/') ? 'tests' : undefined;
}

/** What stands in place of a file that was not revealed. */
export function hiddenText(path: string, kind: Revealable): string {
  const what = kind === 'tests' ? "the task's tests" : "the task's solution";
  return [
    `# ${path} is hidden, because it shows ${what}.`,
    '# Run the command "Repair Bench: Browse Task Files…" and choose this file to reveal it.',
    '',
  ].join('\n');
}
