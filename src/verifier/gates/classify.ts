/** Recognises gates: which commands of a verifier compare, compile or test which file. */
import {
  type Invocation,
  innerCommands,
  isPython,
  isShell,
  RUNNER_NAMES,
  unwrapCommand,
} from './commandWords.ts';
import { type GatePaths, type PathRole, roleOf } from './gatePaths.ts';
import { firstPath, pythonGate, runsTests } from './pythonGate.ts';
import { comparisonOf, type RecognisedGate, type FileRead } from './recognised.ts';

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

const FILE_OPERATORS = new Set(['-f', '-e', '-s', '-r', '-d', '-x', '-L']);
const READERS = new Set(['sed', 'head', 'tail', 'awk', 'cut', 'tr', 'grep']);
const WHOLE_READERS = new Set(['cat', 'git', 'openssl']);

/** Recognises the commands of one task's verifier by the paths that they name. */
export class Recogniser {
  readonly #paths: GatePaths;

  constructor(paths: GatePaths) {
    this.#paths = paths;
  }

  /**
   * Recognises a command by its words, expanded where possible; an unknown word is `''`.
   * @param input text on its standard input, where the script shows it
   * @returns undefined when the command is no gate
   */
  recogniseCommand(words: readonly string[], input?: string): RecognisedGate | undefined {
    const inner = innerCommands(words)?.flatMap((command) => this.#invocation(unwrapCommand(command)) ?? []);
    if (inner) return inner.find(({ kind }) => kind === 'tests') ?? inner.at(-1);
    return this.#invocation(unwrapCommand(words), input);
  }

  /** Recognises the words inside `[ … ]`. */
  recogniseTest(words: readonly string[]): RecognisedGate | undefined {
    const operator = words.findIndex((word) => FILE_OPERATORS.has(word));
    const path = words[operator + 1];
    if (operator === -1 || path === undefined || this.#role(path) !== 'solution') return undefined;
    const negated = words.slice(0, operator).filter((word) => word === '!').length % 2 === 1;
    return { kind: 'exists', passesOn: negated ? 'nonzero' : 'zero', path };
  }

  /** The file with a role that a command reads. */
  fileRead(words: readonly string[]): FileRead | undefined {
    const { program, args } = unwrapCommand(words);
    const whole = DIGESTS.has(program) || WHOLE_READERS.has(program);
    if (!whole && !READERS.has(program)) return undefined;
    for (const path of args) {
      const role = this.#role(path);
      if (role) return { path, role, whole };
    }
    return undefined;
  }

  #invocation({ program, args }: Invocation, input?: string): RecognisedGate | undefined {
    if (COMPARERS.has(program)) return this.#comparison(args);
    if (program === 'git') return this.#gitComparison(args);
    if (DIGESTS.has(program) && args.some((arg) => /^-\w*c$|^--check$/.test(arg)))
      return { kind: 'edited', passesOn: 'nonzero', path: undefined };
    if (program === 'test' || program === '[') return this.recogniseTest(args);
    if (isPython(program)) return pythonGate(args, input, this.#paths);
    if (COMPILERS.some((is) => is(program, args)))
      return { kind: 'compiles', passesOn: 'zero', path: this.#source(args) };
    if (RUNNERS.some((is) => is(program, args)))
      return { kind: 'tests', passesOn: 'zero', path: firstPath(args) };
    return undefined;
  }

  /** `git diff --quiet`, of everything or of the solution. */
  #gitComparison(args: readonly string[]): RecognisedGate | undefined {
    if (!args.includes('diff') || !args.some((arg) => arg === '--quiet' || arg === '--exit-code'))
      return undefined;
    return { kind: 'edited', passesOn: 'nonzero', path: this.#solution(args) };
  }

  #comparison(args: readonly string[]): RecognisedGate | undefined {
    const files = args.filter((arg) => !arg.startsWith('-'));
    const solution = this.#solution(files);
    if (solution === undefined) return undefined;
    const roles = files.map((file) => this.#role(file));
    return comparisonOf(solution, roles, 'zero');
  }

  /** The file that is compiled: one of the solution where there is one. */
  #source(args: readonly string[]): string | undefined {
    return (
      this.#solution(args) ??
      args.find(
        (arg) =>
          !arg.startsWith('-') && /\.(c|cc|cpp|cxx|f90|java|kt|rs|go|js|mjs|ts|tsx|php|rb|pl|sh)$/.test(arg),
      )
    );
  }

  #solution(args: readonly string[]): string | undefined {
    return args.find((arg) => this.#role(arg) === 'solution');
  }

  #role(word: string): PathRole | undefined {
    return roleOf(word, this.#paths);
  }
}
