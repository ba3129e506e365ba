/** Parses the command line of a test runner, so that one test can be run alone. Pure. */
import { isPython, isShell } from '../gates/commandWords.ts';
import type { ContainerPath } from '../../task/containerPath.ts';

export interface RunnerCommand {
  readonly runner: 'pytest' | 'unittest';
  /** The words up to the runner itself, such as `timeout 60 python3 -m pytest`. */
  readonly start: readonly string[];
  readonly args: readonly string[];
}

/** The runner that `words` start; undefined when it is neither pytest nor unittest, or another shell starts it. */
export function runnerCommand(words: readonly string[]): RunnerCommand | undefined {
  for (const [at, word] of words.entries()) {
    const name = word.slice(word.lastIndexOf('/') + 1);
    if (isShell(name) || word === '-c') return undefined;
    const module = words[at + 1];
    if (word === '-m' && (module === 'pytest' || module === 'unittest'))
      return { runner: module, start: words.slice(0, at + 2), args: words.slice(at + 2) };
    if (name === 'pytest' || name === 'py.test')
      return { runner: 'pytest', start: words.slice(0, at + 1), args: words.slice(at + 1) };
    if (isPython(name) && /\.py$/.test(module ?? '')) return undefined;
  }
  return undefined;
}

/** Options of pytest that take the next word. Source: `pytest --help` of 7.2 and 8. */
const WITH_VALUE = new Set([
  ...['-k', '-m', '-c', '-p', '-o', '-W', '-r', '-n'],
  ...['--rootdir', '--confcutdir', '--basetemp', '--import-mode', '--override-ini', '--pythonwarnings'],
  ...['--tb', '--color', '--capture', '--show-capture', '--code-highlight', '--verbosity', '--pastebin'],
  ...['--maxfail', '--durations', '--durations-min', '--timeout', '--timeout-method', '--log-level'],
  ...['--log-file', '--log-format', '--log-cli-level', '--junitxml', '--junit-xml', '--junit-prefix'],
  ...['--deselect', '--ignore', '--ignore-glob', '--cov', '--cov-report', '--cov-config', '--config-file'],
]);

/** Options that select tests, stop early or write reports; a single test needs none of them. */
const SELECTS_TESTS =
  /^(-k|-m|-x|-n|--(exitfirst|maxfail|deselect|ignore|ignore-glob|lf|last-failed|ff|failed-first|nf|new-first|sw|stepwise|junitxml|junit-xml|cov|cov-report|collect-only|co)(=|$))/;

/** Splits arguments into options, with their values, and names of tests. */
function splitArguments(args: readonly string[]): { options: string[][]; named: string[] } {
  const options: string[][] = [];
  const named: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) named.push(word);
    else if (WITH_VALUE.has(word)) options.push([word, ...args.slice(at + 1, (at += 1) + 1)]);
    else options.push([word]);
  }
  return { options, named };
}

/** The arguments that run `nodeId` alone, with all other options kept. */
export function argumentsForOne(args: readonly string[], nodeId: string): string[] {
  const { options } = splitArguments(args);
  return [...options.filter(([option = '']) => !SELECTS_TESTS.test(option)).flat(), nodeId];
}

/**
 * The node id of a case that a report calls `name`, such as `tests.test_solution.TestRange.test_empty[1.5]`.
 * @param tests test files of the task, by container path
 * @returns undefined when no file fits the name
 */
export function nodeIdOf(
  name: string,
  args: readonly string[],
  tests: readonly ContainerPath[],
): string | undefined {
  const bracket = name.indexOf('[');
  const base = bracket === -1 ? name : name.slice(0, bracket);
  const segments = base.split('.');
  const files = [...tests, ...splitArguments(args).named.map((word) => word.replace(/::.*$/, ''))];
  let best: { file: string; used: number } | undefined;
  for (const file of files) {
    const used = file.endsWith('.py') ? sharedSegments(file, segments) : 0;
    if (used > (best?.used ?? 0) && used < segments.length) best = { file, used };
  }
  if (!best) return undefined;
  const parameters = bracket === -1 ? '' : name.slice(bracket);
  return `${[best.file, ...segments.slice(best.used)].join('::')}${parameters}`;
}

/** How many of the first segments equal the end of the file's path. */
function sharedSegments(file: string, segments: readonly string[]): number {
  const parts = file
    .replace(/\.py$/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  for (let count = Math.min(parts.length, segments.length); count > 0; count -= 1)
    if (parts.slice(-count).every((part, at) => part === segments[at])) return count;
  return 0;
}
