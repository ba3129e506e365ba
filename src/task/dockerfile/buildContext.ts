/**
 * The files of `environment/` that a build sends to its engine: all that `.dockerignore` does not exclude
 * (https://docs.docker.com/build/concepts/context/#dockerignore-files).
 */
import { pathMatcher } from './glob.ts';
import type { TaskFiles } from '../task.ts';
import { DOCKERFILE, ENVIRONMENT_FOLDER } from '../taskLayout.ts';

const DOCKERFILE_NAME = DOCKERFILE.slice(ENVIRONMENT_FOLDER.length + 1);

/** Bounds the work that a hostile task can cause, in characters compared. */
export interface WorkLeft {
  left: number;
}

/** Far above what real tasks need (2,000 files and 50 rules: 5 million). */
export const MOST_WORK = 20_000_000;

/** The files that `.dockerignore` leaves, as COPY sees them. */
export function withoutIgnored(all: TaskFiles, work: WorkLeft): TaskFiles {
  const ignore = all.get('.dockerignore');
  if (ignore === undefined) return all;
  const ignored = ignoredBy(Buffer.from(ignore.bytes).toString(), work);
  return new Map([...all].filter(([path]) => !ignored(path)));
}

/** The build context: like Docker's client, it sends the Dockerfile even where `.dockerignore` names it. */
export function buildContextOf(environmentFiles: TaskFiles): TaskFiles {
  const kept = withoutIgnored(environmentFiles, { left: MOST_WORK });
  const dockerfile = environmentFiles.get(DOCKERFILE_NAME);
  return dockerfile && !kept.has(DOCKERFILE_NAME) ? new Map([...kept, [DOCKERFILE_NAME, dockerfile]]) : kept;
}

/** More rules than this are left out. */
const MOST_RULES = 500;

/**
 * A predicate over context paths. Later lines win; `!` takes back; a folder takes its contents with it.
 * Once `work` is used up, everything counts as kept.
 */
function ignoredBy(dockerignore: string, work: WorkLeft): (path: string) => boolean {
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
