/** Which files of a build context `.dockerignore` leaves out (https://docs.docker.com/build/concepts/context/#dockerignore-files). */
import { matchesPath } from './glob.ts';

/** More rules than this are left out. */
const MOST_RULES = 500;

/** A predicate over context paths. Later lines win; `!` takes back; a folder takes its contents with it. */
export function ignoredBy(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '!')
    .slice(0, MOST_RULES)
    .map((line) => ({
      ignores: !line.startsWith('!'),
      pattern: cleaned(line.startsWith('!') ? line.slice(1).trim() : line),
    }));
  return (path) => {
    const parts = path.split('/');
    const withParents = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return rules.reduce(
      (ignored, { ignores, pattern }) =>
        withParents.some((candidate) => matchesPath(pattern, candidate, true)) ? ignores : ignored,
      false,
    );
  };
}

function cleaned(pattern: string): string {
  return pattern
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}
