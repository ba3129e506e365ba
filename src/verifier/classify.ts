/** What one command of a verifier does with which path: the table of gate kinds in the design, as code. */
import { type Invocation, innerCommands, isPython, isShell, RUNNER_NAMES, unwrap } from './commandWords.ts';
import { type GatePaths, type PathRole, roleOf } from './gatePaths.ts';
import { firstPath, pythonGate, runsTests } from './pythonGate.ts';
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

const COMPARERS = new Set(['cmp', 'diff']);
const DIGESTS = new Set(['sha256sum', 'sha1sum', 'sha512sum', 'md5sum', 'cksum', 'b2sum']);

const COMPILERS: readonly ((program: string, args: readonly string[]) => boolean)[] = [
  (program, args) =>
    /^(gcc|g\+\+|clang|clang\+\+|cc|c\+\+|gfortran)(-\d+)?$/.test(program) && args.length > 0,
  (program, args) => program === 'node' && (args.includes('--check') || args.includes('-c')),
  (program) => ['tsc', 'javac', 'rustc', 'ghc', 'kotlinc', 'scalac', 'csc'].includes(program),
  (program, args) => program === 'go' && (args[0] === 'build' || args[0] === 'vet'),
  (program, args) => program === 'cargo' && (args[0] === 'check' || args[0] === 'build'),
  (program, args) => isShell(program) && args.includes('-n'),
  (program, args) =>
    (program === 'php' && args.includes('-l')) || (program === 'ruby' && args.includes('-c')),
  (program, args) => program === 'perl' && args.includes('-c'),
  (program, args) => program === 'dotnet' && args[0] === 'build',
  (program, args) => /^(mvn|gradle|gradlew)$/.test(program) && args.some((arg) => /^compile/.test(arg)),
];

const RUNNERS: readonly ((program: string, args: readonly string[]) => boolean)[] = [
  (program, args) => RUNNER_NAMES.has(program) && runsTests(args),
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
 * @param input text on its standard input, where the script shows it
 */
export function classifyCommand(
  words: readonly string[],
  paths: GatePaths,
  input?: string,
): Classified | undefined {
  const inner = innerCommands(words)?.flatMap((command) => classifyInvocation(unwrap(command), paths) ?? []);
  if (inner) return inner.find(({ kind }) => kind === 'tests') ?? inner.at(-1);
  return classifyInvocation(unwrap(words), paths, input);
}

function classifyInvocation(
  { program, args }: Invocation,
  paths: GatePaths,
  input?: string,
): Classified | undefined {
  if (COMPARERS.has(program)) return comparison(args, paths);
  if (program === 'git') return gitComparison(args, paths);
  if (DIGESTS.has(program) && args.some((arg) => /^-\w*c$|^--check$/.test(arg)))
    return { kind: 'edited', passesOn: 'nonzero', path: undefined };
  if (program === 'test' || program === '[') return classifyTest(args, paths);
  if (isPython(program)) return pythonGate(args, input, paths);
  if (COMPILERS.some((is) => is(program, args)))
    return { kind: 'compiles', passesOn: 'zero', path: sourceAmong(args, paths) };
  if (RUNNERS.some((is) => is(program, args)))
    return { kind: 'tests', passesOn: 'zero', path: firstPath(args) };
  return undefined;
}

/** `git diff --quiet`, of everything or of the solution. */
function gitComparison(args: readonly string[], paths: GatePaths): Classified | undefined {
  if (!args.includes('diff') || !args.some((arg) => arg === '--quiet' || arg === '--exit-code'))
    return undefined;
  return {
    kind: 'edited',
    passesOn: 'nonzero',
    path: args.find((arg) => roleOf(arg, paths) === 'solution'),
  };
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

/** The file that a compiler is given: the solution's if it is among them. */
function sourceAmong(args: readonly string[], paths: GatePaths): string | undefined {
  return (
    args.find((arg) => roleOf(arg, paths) === 'solution') ??
    args.find(
      (arg) =>
        !arg.startsWith('-') && /\.(c|cc|cpp|cxx|f90|java|kt|rs|go|js|mjs|ts|tsx|php|rb|pl|sh)$/.test(arg),
    )
  );
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
