/** Which files of a build context `.dockerignore` leaves out (https://docs.docker.com/build/concepts/context/#dockerignore-files). */
import { pathMatcher } from './glob.ts';
import type { WorkLeft } from './workLeft.ts';

/** More rules than this are left out. */
const MOST_RULES = 500;

/**
 * A predicate over context paths. Later lines win; `!` takes back; a folder takes its contents with it.
 * Once `work` is used up, everything counts as kept.
 */
export function ignoredBy(dockerignore: string, work: WorkLeft): (path: string) => boolean {
  const rules = dockerignore
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '!')
    .slice(0, MOST_RULES)
    .map((line) => ({
      ignores: !line.startsWith('!'),
      matches: pathMatcher(cleaned(line.startsWith('!') ? line.slice(1).trim() : line), true),
    }));
  const known = new Map<string, ReadonlySet<number>>();
  /** The numbers of the rules that match a path or a folder it lies in. */
  const matching = (path: string): ReadonlySet<number> => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const slash = path.lastIndexOf('/');
    const found = new Set(slash < 0 ? [] : matching(path.slice(0, slash)));
    work.left -= path.length * rules.length;
    if (work.left > 0)
      for (const [number, rule] of rules.entries()) if (rule.matches(path)) found.add(number);
    known.set(path, found);
    return found;
  };
  return (path) => rules[Math.max(-1, ...matching(path))]?.ignores ?? false;
}

function cleaned(pattern: string): string {
  return pattern
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}
