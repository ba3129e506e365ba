/** Finds the program that a command runs behind `timeout 60`, `uv run`, `sudo -u nobody` or `bash -c '…'`. */
import { traceWords } from '../trace/trace.ts';

/** A program by its name without a folder, and its arguments. */
export interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
}

/** Programs that run another program; their own options and durations are skipped. */
const WRAPPERS = new Set([
  'timeout',
  'env',
  'nice',
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

/** Programs whose own options take values: the program behind them is found by its name. */
const LAUNCHERS = new Set([
  'sudo',
  'doas',
  'gosu',
  'su-exec',
  'runuser',
  'uv',
  'uvx',
  'poetry',
  'pipenv',
  'pdm',
  'hatch',
  'rye',
  'conda',
  'mamba',
  'micromamba',
  'xargs',
]);

export const RUNNER_NAMES: ReadonlySet<string> = new Set([
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
]);

/** The program that runs in the end, and its arguments. */
export function unwrapCommand(words: readonly string[]): Invocation {
  let rest = words;
  for (;;) {
    const start = rest.findIndex((word) => !/^\w+=/.test(word));
    rest = start === -1 ? [] : rest.slice(start);
    const program = lastName(rest[0] ?? '');
    // `command -v pytest` only looks the program up.
    const onlyAsks = program === 'command' && /^-[a-z]*[vV]/.test(rest[1] ?? '');
    if (LAUNCHERS.has(program)) return afterLauncher(rest) ?? { program, args: rest.slice(1) };
    if (onlyAsks || !WRAPPERS.has(program) || rest.length < 2) return { program, args: rest.slice(1) };
    const own = rest.slice(1).findIndex((word) => !/^-/.test(word) && !/^\d+(\.\d+)?[smhd]?$/.test(word));
    rest = own === -1 ? [] : rest.slice(own + 1);
  }
}

function afterLauncher(words: readonly string[]): Invocation | undefined {
  const at = words.findIndex((word, index) => index > 0 && isKnownProgram(lastName(word)));
  const before = words.slice(1, at);
  if (at === -1 || before.some((word) => /^(install|add|sync|remove|pip|tool)$/.test(word))) return undefined;
  return { program: lastName(words[at] ?? ''), args: words.slice(at + 1) };
}

function isKnownProgram(name: string): boolean {
  return RUNNER_NAMES.has(name) || isPython(name) || name === 'node' || isShell(name);
}

/** The simple commands inside `bash -c '…'`, `su -c '…'` and `eval …`; undefined when the command is none of these. */
export function innerCommands(words: readonly string[]): string[][] | undefined {
  const { program, args } = unwrapCommand(words);
  if (!isShell(program) && program !== 'su' && program !== 'runuser' && program !== 'eval') return undefined;
  const option = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  const code = program === 'eval' ? args.join(' ') : option === -1 ? undefined : args[option + 1];
  return code
    ?.slice(0, 10_000)
    .split(/&&|\|\||[;\n|]/)
    .map((part) => traceWords(part.replaceAll('"', "'")));
}

export function isPython(program: string): boolean {
  return /^(python|pypy)[0-9.]*$/.test(program);
}

export function isShell(program: string): boolean {
  return /^(ba|da|z|k)?sh$/.test(program);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
