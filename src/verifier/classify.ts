/** What one command of a verifier does with which path: the table of gate kinds in the design, as code. */
import { type GatePaths, type PathRole, roleOf } from './gatePaths.ts';
import type { GateKind } from './verdict.ts';

/** A command recognised as a gate, and which exit status lets it pass. */
export interface Classified {
  readonly kind: Exclude<GateKind, 'check'>;
  readonly passesOn: 'zero' | 'nonzero';
  /** The path it is about, as the command names it. */
  readonly path: string | undefined;
  /** Only a part of the file is compared, such as one line of it. */
  readonly partial?: true;
}

/** Programs that run another program with its arguments: how many words of their own to skip is found by scanning. */
const WRAPPERS = new Set([
  'timeout',
  'env',
  'nice',
  'sudo',
  'exec',
  'command',
  'time',
  'stdbuf',
  'setsid',
  'nohup',
  'ionice',
  'chronic',
  'xvfb-run',
]);
const COMPARERS = new Set(['cmp', 'diff']);
const DIGESTS = new Set(['sha256sum', 'sha1sum', 'sha512sum', 'md5sum', 'cksum', 'b2sum']);

/** The program and its arguments once `timeout 60 env A=b` and the like are taken off; the program by its last name. */
export function unwrap(words: readonly string[]): { program: string; args: readonly string[] } {
  let rest = [...words];
  for (;;) {
    while (rest[0] !== undefined && /^\w+=/.test(rest[0])) rest = rest.slice(1);
    const program = lastName(rest[0] ?? '');
    if (!WRAPPERS.has(program) || rest.length < 2) return { program, args: rest.slice(1) };
    rest = rest.slice(1);
    while (rest[0] !== undefined && (/^-/.test(rest[0]) || /^\d+(\.\d+)?[smhd]?$/.test(rest[0])))
      rest = rest.slice(1);
  }
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isPython(program: string): boolean {
  return /^(python|pypy)[0-9.]*$/.test(program);
}

/** Python's own options up to what it runs: `-m module`, `-c code` or a file. */
function pythonTarget(
  args: readonly string[],
): { how: 'module' | 'code' | 'file'; target: string; rest: readonly string[] } | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '-m') return { how: 'module', target: args[at + 1] ?? '', rest: args.slice(at + 2) };
    if (arg === '-c') return { how: 'code', target: args[at + 1] ?? '', rest: args.slice(at + 2) };
    if (arg === '-W' || arg === '-X') at += 1;
    else if (/^-[A-Za-z]*c$/.test(arg))
      return { how: 'code', target: args[at + 1] ?? '', rest: args.slice(at + 2) };
    else if (!arg.startsWith('-')) return { how: 'file', target: arg, rest: args.slice(at + 1) };
  }
  return undefined;
}

const COMPILERS: readonly ((program: string, args: readonly string[]) => boolean)[] = [
  (program, args) =>
    /^(gcc|g\+\+|clang|clang\+\+|cc|c\+\+|gfortran)(-\d+)?$/.test(program) && args.length > 0,
  (program, args) => program === 'node' && (args.includes('--check') || args.includes('-c')),
  (program) => ['tsc', 'javac', 'rustc', 'ghc', 'kotlinc', 'scalac', 'csc'].includes(program),
  (program, args) => program === 'go' && (args[0] === 'build' || args[0] === 'vet'),
  (program, args) => program === 'cargo' && (args[0] === 'check' || args[0] === 'build'),
  (program, args) => /^(ba|da|z|k)?sh$/.test(program) && args.includes('-n'),
  (program, args) =>
    (program === 'php' && args.includes('-l')) || (program === 'ruby' && args.includes('-c')),
  (program, args) => program === 'perl' && args.includes('-c'),
  (program, args) => program === 'dotnet' && args[0] === 'build',
  (program, args) => /^(mvn|gradle|gradlew)$/.test(program) && args.some((arg) => /^compile/.test(arg)),
];

const RUNNERS: readonly ((program: string, args: readonly string[]) => boolean)[] = [
  (program) =>
    [
      'pytest',
      'py.test',
      'nosetests',
      'nose2',
      'tox',
      'phpunit',
      'rspec',
      'jest',
      'mocha',
      'vitest',
      'ava',
      'ctest',
      'bats',
      'prove',
      'gotestsum',
    ].includes(program),
  (program, args) => program === 'npx' && args.some((arg) => /^(jest|mocha|vitest|ava)$/.test(arg)),
  (program, args) =>
    /^(npm|yarn|pnpm)$/.test(program) &&
    (args[0] === 'test' || (args[0] === 'run' && /^test/.test(args[1] ?? ''))),
  (program, args) =>
    (program === 'go' || program === 'cargo' || program === 'dotnet') &&
    (args[0] === 'test' || args[0] === 'nextest'),
  (program, args) =>
    /^(mvn|mvnw|gradle|gradlew|make|ninja)$/.test(program) &&
    args.some((arg) => /^(test|check|verify)$/.test(arg)),
  (program, args) => program === 'bundle' && args.includes('rspec'),
  (program, args) => program === 'node' && args.includes('--test'),
];

/**
 * Classifies a command by its words, already expanded where possible (an unknown word is `''`).
 * Returns undefined when the command is none of the known kinds.
 */
export function classifyCommand(words: readonly string[], paths: GatePaths): Classified | undefined {
  const { program, args } = unwrap(words);
  if (COMPARERS.has(program)) return comparison(args, paths);
  if (DIGESTS.has(program) && args.some((arg) => /^-\w*c$|^--check$/.test(arg)))
    return { kind: 'edited', passesOn: 'nonzero', path: undefined };
  if (program === 'test' || program === '[') return classifyTest(args, paths);
  if (isPython(program)) return pythonGate(args, paths);
  if (COMPILERS.some((is) => is(program, args)))
    return { kind: 'compiles', passesOn: 'zero', path: solutionAmong(args, paths) };
  if (RUNNERS.some((is) => is(program, args)))
    return { kind: 'tests', passesOn: 'zero', path: firstPath(args) };
  return undefined;
}

function comparison(args: readonly string[], paths: GatePaths): Classified | undefined {
  const roles = args.filter((arg) => !arg.startsWith('-')).map((arg) => ({ arg, role: roleOf(arg, paths) }));
  const solution = roles.find(({ role }) => role === 'solution')?.arg;
  if (solution === undefined) return undefined;
  return comparisonOf(
    solution,
    roles.map(({ role }) => role),
    'zero',
  );
}

/** A comparison of the solution with the gold or the baseline; `equalOn` is the status that means *equal*. */
export function comparisonOf(
  solution: string,
  roles: readonly (PathRole | undefined)[],
  equalOn: 'zero' | 'nonzero',
): Classified | undefined {
  if (roles.includes('gold')) return { kind: 'matches-gold', passesOn: equalOn, path: solution };
  if (!roles.includes('baseline')) return undefined;
  return { kind: 'edited', passesOn: equalOn === 'zero' ? 'nonzero' : 'zero', path: solution };
}

function pythonGate(args: readonly string[], paths: GatePaths): Classified | undefined {
  const ran = pythonTarget(args);
  if (!ran) return undefined;
  if (ran.how === 'module') {
    if (ran.target === 'py_compile' || ran.target === 'compileall')
      return { kind: 'compiles', passesOn: 'zero', path: solutionAmong(ran.rest, paths) };
    if (['pytest', 'unittest', 'nose', 'nose2', 'doctest'].includes(ran.target))
      return { kind: 'tests', passesOn: 'zero', path: firstPath(ran.rest) };
    return undefined;
  }
  if (ran.how === 'code') {
    if (/\b(py_compile|compile|ast\.parse)\b/.test(ran.target))
      return { kind: 'compiles', passesOn: 'zero', path: paths.solution[0] };
    const imported = /\b(import|import_module|__import__|spec_from_file_location|runpy)\b/.test(ran.target)
      ? importedFile(ran.target, paths)
      : undefined;
    if (imported !== undefined) return { kind: 'imports', passesOn: 'zero', path: imported };
  }
  return undefined;
}

/** The solution's file that Python code imports, by dotted name, by module name, or by path. */
function importedFile(code: string, paths: GatePaths): string | undefined {
  const scored = paths.solution.map((path) => ({ path, score: importScore(path, code) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best === 0 ? undefined : scored.find(({ score }) => score === best)?.path;
}

/** How many trailing names of the path the code spells as a dotted name or as a path. */
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

function solutionAmong(args: readonly string[], paths: GatePaths): string | undefined {
  return args.find((arg) => roleOf(arg, paths) === 'solution');
}

function firstPath(args: readonly string[]): string | undefined {
  return args.find((arg) => arg.startsWith('/') || /\.\w+$/.test(arg))?.replace(/::.*$/, '');
}

const FILE_OPERATORS = new Set(['-f', '-e', '-s', '-r', '-d', '-x', '-L']);

/** Classifies the inside of `[ … ]`. */
export function classifyTest(words: readonly string[], paths: GatePaths): Classified | undefined {
  const operator = words.findIndex((word) => FILE_OPERATORS.has(word));
  const path = words[operator + 1];
  if (operator === -1 || path === undefined || roleOf(path, paths) !== 'solution') return undefined;
  const negated = words.slice(0, operator).filter((word) => word === '!').length % 2 === 1;
  return { kind: 'exists', passesOn: negated ? 'nonzero' : 'zero', path };
}

/** What a digest or a reader such as `cat` takes in, when it is a file with a role. */
export interface Taken {
  readonly path: string;
  readonly role: PathRole;
  /** Whether all of the file counts, as it does for a hash. */
  readonly whole: boolean;
}

const READERS = new Set(['sed', 'head', 'tail', 'awk', 'cut', 'tr', 'grep']);
const WHOLE_READERS = new Set(['cat', 'git', 'openssl']);

export function taken(words: readonly string[], paths: GatePaths): Taken | undefined {
  const { program, args } = unwrap(words);
  const whole = DIGESTS.has(program) || WHOLE_READERS.has(program);
  if (!whole && !READERS.has(program)) return undefined;
  for (const path of args) {
    const role = roleOf(path, paths);
    if (role) return { path, role, whole };
  }
  return undefined;
}
