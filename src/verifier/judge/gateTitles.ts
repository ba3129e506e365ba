/** Titles of gates: what each one checks, in a few words. */
import { shortenedLine } from '../../wording/shortened.ts';
import type { FoundGate } from '../gates/findGates.ts';

const MOST_TEXT = 60;

export function gateTitle(found: FoundGate, solution: readonly string[]): string {
  const name = subjectName(found.path, solution);
  switch (found.kind) {
    case 'exists':
      return `${name} exists`;
    case 'edited':
      return found.partial ? `${name} was edited where the script looks` : `${name} was edited`;
    case 'matches-gold':
      return `${name} equals the gold`;
    case 'compiles':
      return `${name} compiles`;
    case 'imports':
      return `${name} imports`;
    case 'tests':
      return found.path !== undefined && /\.\w+$/.test(found.path)
        ? `${basename(found.path)} passes`
        : 'tests pass';
    case 'check':
      return shortenedLine(found.placed.leaf.text, MOST_TEXT);
  }
}

/** The name of what a gate checks: a file's name, or `the solution` when it has several files. */
export function subjectName(path: string | undefined, solution: readonly string[]): string {
  const [only] = solution;
  return path === undefined
    ? solution.length === 1 && only !== undefined
      ? basename(only)
      : 'the solution'
    : basename(path);
}

function basename(path: string): string {
  const plain = path.replace(/\/+$/, '');
  return plain.slice(plain.lastIndexOf('/') + 1);
}
