/** Recognises gates that call Python: a module, a file, or code from `-c` or a here-document. */
import { isIn } from '../../task/taskLayout.ts';
import { CONTAINER_TESTS } from '../plan/containerLayout.ts';
import { type GatePaths, roleOf } from './gatePaths.ts';
import type { RecognisedGate } from './recognised.ts';

interface Target {
  readonly how: 'module' | 'code' | 'file';
  readonly target: string;
  readonly rest: readonly string[];
}

/**
 * @param input code on its standard input, as from a here-document
 */
export function pythonGate(
  args: readonly string[],
  input: string | undefined,
  paths: GatePaths,
): RecognisedGate | undefined {
  const ran = pythonTarget(args, input);
  if (!ran) return undefined;
  if (ran.how === 'code') return codeGate(ran.target, paths);
  if (ran.how === 'file')
    return isIn(CONTAINER_TESTS, ran.target) && /\/(test_\w*|\w*_test)\.py$/.test(ran.target)
      ? { kind: 'tests', passesOn: 'zero', path: ran.target }
      : undefined;
  if (ran.target === 'py_compile' || ran.target === 'compileall')
    return {
      kind: 'compiles',
      passesOn: 'zero',
      path: ran.rest.find((arg) => roleOf(arg, paths) === 'solution'),
    };
  if (ran.target === 'coverage' && ran.rest[0] === 'run')
    return pythonGate(ran.rest.slice(1), undefined, paths);
  if (['pytest', 'unittest', 'nose', 'nose2', 'doctest'].includes(ran.target) && runsTests(ran.rest))
    return { kind: 'tests', passesOn: 'zero', path: firstPath(ran.rest) };
  return undefined;
}

/** Whether a runner runs tests; with some options it only lists or explains. */
export function runsTests(args: readonly string[]): boolean {
  return !args.some((arg) => /^(--version|--help|--collect-only|--co|--fixtures|--markers)$/.test(arg));
}

/** The first argument that looks like a file. */
export function firstPath(args: readonly string[]): string | undefined {
  return args.find((arg) => arg.startsWith('/') || /\.\w+$/.test(arg))?.replace(/::.*$/, '');
}

/** What Python runs, behind its own options: `-m module`, `-c code`, a file, or its standard input. */
function pythonTarget(args: readonly string[], input: string | undefined): Target | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '-m') return { how: 'module', target: args[at + 1] ?? '', rest: args.slice(at + 2) };
    if (/^-[A-Za-z]*c$/.test(arg))
      return { how: 'code', target: args[at + 1] ?? '', rest: args.slice(at + 2) };
    if (arg === '-W' || arg === '-X') at += 1;
    else if (arg === '-') break;
    else if (!arg.startsWith('-')) return { how: 'file', target: arg, rest: args.slice(at + 1) };
  }
  return input === undefined ? undefined : { how: 'code', target: input, rest: [] };
}

const COMPILES = /\b(py_compile|compileall|ast\.parse)\b|(?<![\w.])compile\s*\(/;
const IMPORTS = /\b(import|import_module|__import__|spec_from_file_location|runpy)\b/;
/** Code that also checks what the solution does: a check, not an import. */
const ASKS_MORE = /[=!]=|\bassert\b(?!\s*\(?\s*(hasattr|callable)\b)|\bsys\.exit\(\s*[^\s01)'"]/;

function codeGate(code: string, paths: GatePaths): RecognisedGate | undefined {
  if (/\b(pytest|unittest)\.main\(/.test(code)) return { kind: 'tests', passesOn: 'zero', path: undefined };
  const asked = code.replace(/if\s+__name__\s*==/g, '');
  if (ASKS_MORE.test(asked) || /\breward/.test(code)) return undefined;
  if (COMPILES.test(code)) return { kind: 'compiles', passesOn: 'zero', path: paths.solution[0] };
  const imported = IMPORTS.test(code) ? importedFile(code, paths) : undefined;
  return imported === undefined ? undefined : { kind: 'imports', passesOn: 'zero', path: imported };
}

/** The solution's file that Python code imports, by dotted name, by module name, or by path. */
function importedFile(code: string, paths: GatePaths): string | undefined {
  const scored = paths.solution.map((path) => ({ path, score: importScore(path, code) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best === 0 ? undefined : scored.find(({ score }) => score === best)?.path;
}

/** How many of the path's last names the code spells, joined by dots or slashes. */
function importScore(path: string, code: string): number {
  const names = path
    .replace(/(\/__init__)?\.py$/, '')
    .split('/')
    .filter((name) => name !== '');
  for (let count = names.length; count > 0; count -= 1) {
    const tail = names.slice(-count).map((name) => name.replace(/[^\w]/g, '\\$&'));
    if (new RegExp(`(^|[^\\w.])${tail.join('[./]')}\\b`).test(code)) return count;
  }
  return 0;
}
