/** Finds the places that compilers, interpreters and test runners print with a failure. */
import { type ContainerPath, isContainerPath } from '../../task/containerPath.ts';
import type { Place } from '../verdict/verdict.ts';

/** An error message and its place. */
export interface LocatedError extends Place {
  readonly message: string;
}

/** Resolves a path as a tool printed it against the folders it may be relative to. */
function resolve(path: string, known: readonly string[]): ContainerPath | undefined {
  const plain = path.replace(/^\.\//, '').replace(/^(\.\.\/)+/, '');
  const match = known.find((candidate) => candidate === path || candidate.endsWith(`/${plain}`)) ?? path;
  return isContainerPath(match) ? match : undefined;
}

/**
 * A compiler's or interpreter's last error about one of `files`: Python's `File "…", line N`, and `file:line:column: …`
 * as gcc, tsc, node and many others write it.
 */
export function findError(output: string, files: readonly string[]): LocatedError | undefined {
  return pythonError(output, files) ?? colonError(output, files);
}

function pythonError(output: string, files: readonly string[]): LocatedError | undefined {
  const lines = output.split(/\r?\n/);
  let found: LocatedError | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const match = /^\s*File "([^"]+)", line (\d+)/.exec(lines[at] ?? '');
    if (!match) continue;
    const path = resolve(match[1] ?? '', files);
    if (path === undefined || !files.includes(path)) continue;
    const after = lines.slice(at + 1, at + 60);
    const end = after.findIndex((line) => /^\S/.test(line) && !/^(Traceback|During|The above)/.test(line));
    const message = end === -1 ? undefined : after[end];
    const caretAt = after.slice(0, end === -1 ? 3 : end).findIndex((line) => /^\s*[~^]+\s*$/.test(line));
    const source = after[caretAt - 1];
    const caret =
      caretAt > 0 && source !== undefined ? (after[caretAt] ?? '').search(/[~^]/) - source.search(/\S/) : -1;
    // Python strips the source line's own indent, so the column is only known for unindented lines.
    const column = caret >= 0 && /^(Syntax|Indentation|Tab)Error/.test(message ?? '') ? caret + 1 : undefined;
    found = {
      path,
      line: Number(match[2]),
      ...(column === undefined ? {} : { column }),
      message: message ?? 'Error',
    };
  }
  return found;
}

/** Longer lines are skipped: places are short, and a long line could take quadratic time. */
const MOST_LINE = 2000;

function colonError(output: string, files: readonly string[]): LocatedError | undefined {
  for (const line of output.split(/\r?\n/)) {
    if (line.length > MOST_LINE) continue;
    const match =
      /^([^\s:()][^:()]*)[:(]\s?(?:line )?(\d+)(?:[:,](\d+))?\)?:\s*(?:fatal )?(?:error\b:?\s*)?(.+)$/.exec(
        line,
      );
    if (!match || /\b(warning|note):/.test(line)) continue;
    const path = resolve(match[1] ?? '', files);
    if (path === undefined || !files.includes(path) || Number(match[2]) < 1) continue;
    const column = Number(match[3]);
    return { path, line: Number(match[2]), ...(column > 0 ? { column } : {}), message: match[4] ?? 'Error' };
  }
  return undefined;
}

/** The frames of a pytest or Python traceback, outermost first, with paths resolved against `known`. */
export function tracebackFrames(text: string, known: readonly string[]): Place[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (line.length > MOST_LINE) return [];
    const match = /^\s*File "([^"]+)", line (\d+)/.exec(line) ?? /^(\S[^:]*\.\w+):(\d+): /.exec(line);
    const path = match ? resolve(match[1] ?? '', known) : undefined;
    const number = Number(match?.[2]);
    return path !== undefined && number > 0 ? [{ path, line: number }] : [];
  });
}

/** Where a failed case points: the deepest frame inside the solution if there is one, else the assertion. */
export function casePlaces(
  detail: string,
  solution: readonly string[],
  tests: readonly string[],
): { at: Place | undefined; related: Place | undefined } {
  // pytest puts the error that stopped an import behind `E`, with frames of its own.
  const frames = tracebackFrames(detail.replace(/^E(?=\s)/gm, ' '), [...solution, ...tests]);
  const inSolution = frames.filter(({ path }) => solution.includes(path)).at(-1);
  const inTest = frames.filter(({ path }) => tests.includes(path)).at(-1);
  return inSolution ? { at: inSolution, related: inTest } : { at: inTest, related: undefined };
}
