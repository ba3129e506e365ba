/** Parses argv into a typed command, or an error that shows the right form. Pure. */
import { parseArgs } from 'node:util';
import { joinWords } from '../../wording/joinWords.ts';
import type { RequestedKind } from '../../runtime/schemas.ts';
import { CliError } from '../failures/cliError.ts';
import { COMMANDS, type CommandName, type CommandSpec, isCommand } from '../commands.ts';
import { didYouMean } from './didYouMean.ts';

export interface ListArguments {
  readonly command: 'list';
  readonly dataset: string;
  readonly filter: string;
  readonly limit: number;
}

export interface FetchArguments {
  readonly command: 'fetch';
  /** As it was typed: `owner/name:file`, or the address of a page. */
  readonly address: string;
  readonly revision: string | undefined;
  readonly listOnly: boolean;
}

export interface OpenArguments {
  readonly command: 'open';
  readonly dataset: string;
  /** Undefined: the dataset's only row. */
  readonly row: string | undefined;
  readonly into: string;
}

export type SubjectArgument =
  /** The workspace's solution, or the starter where there is no workspace. */
  | { readonly kind: 'default' }
  | { readonly kind: 'starter' }
  | { readonly kind: 'gold' }
  | { readonly kind: 'solution'; readonly path: string };

/** Arguments of every command that runs a verifier. */
export interface VerifierArguments {
  readonly runtime: RequestedKind;
  readonly imageMap: Readonly<Record<string, string>>;
  readonly timeoutMs: number | undefined;
  readonly network: boolean;
  readonly hostVariables: readonly string[];
}

export interface VerifyArguments extends VerifierArguments {
  readonly command: 'verify';
  readonly target: string;
  readonly row: string | undefined;
  readonly subject: SubjectArgument;
  readonly trace: boolean;
}

export interface GoldSaveArguments extends VerifierArguments {
  readonly command: 'gold save';
  readonly target: string;
  readonly row: string | undefined;
  readonly into: string;
  readonly force: boolean;
}

export interface GoldCheckArguments extends VerifierArguments {
  readonly command: 'gold check';
  readonly target: string;
  readonly row: string | undefined;
  /** Where the task is; undefined: beside the gold fix. */
  readonly task: { readonly dataset: string; readonly row: string | undefined } | undefined;
}

export interface GoldExportArguments {
  readonly command: 'gold export';
  readonly folders: readonly string[];
  /** Undefined: one gold fix, into its own task. */
  readonly dataset: string | undefined;
  readonly to: string;
  readonly skipUnmatched: boolean;
  readonly force: boolean;
}

export interface HistoryArguments {
  readonly command: 'history';
  readonly workspace: string;
  readonly limit: number;
}

export interface DoctorArguments {
  readonly command: 'doctor';
  /** Undefined: the sample tasks. */
  readonly dataset: string | undefined;
  /** Undefined: some rows, spread over the dataset. */
  readonly row: string | undefined;
  readonly runtime: RequestedKind;
  readonly imageMap: Readonly<Record<string, string>>;
  readonly into: string;
}

export type Invocation =
  | { readonly command: 'help'; readonly about: CommandName | undefined }
  | { readonly command: 'version' }
  | ListArguments
  | FetchArguments
  | OpenArguments
  | VerifyArguments
  | HistoryArguments
  | GoldSaveArguments
  | GoldCheckArguments
  | GoldExportArguments
  | DoctorArguments;

const DEFAULT_LIMIT = 100;
const DEFAULT_INTO = 'repair-bench-tasks';
const MOST_TIMEOUT_SEC = 7 * 24 * 3600;

/** @throws CliError with exit code 2 */
export function parseArguments(argv: readonly string[]): Invocation {
  const [first, ...rest] = argv;
  if (first === undefined || first === '--help' || first === '-h')
    return { command: 'help', about: undefined };
  if (first === '--version' || first === '-V') return { command: 'version' };
  if (first === 'help')
    return { command: 'help', about: rest[0] === undefined ? undefined : commandNamed(rest[0], rest[1]) };
  const name = commandNamed(first, rest[0]);
  const values = optionsOf(name, name === first ? rest : rest.slice(1));
  if (values.flag('help')) return { command: 'help', about: name };
  const [target = '', row] = values.positionals;
  const positionals = values.positionals.length;
  const [least, most] = COMMANDS[name].positionals;
  if (positionals < least || positionals > most)
    throw wrongNumber(name, positionals < least, values.positionals[most]);
  switch (name) {
    case 'list':
      return {
        command: name,
        dataset: target,
        filter: values.text('filter') ?? '',
        limit: limitOf(values, 'rows'),
      };
    case 'fetch':
      return {
        command: name,
        address: target,
        revision: values.text('revision'),
        listOnly: values.flag('list'),
      };
    case 'open':
      return { command: name, dataset: target, row, into: values.text('into') ?? DEFAULT_INTO };
    case 'verify':
      return {
        command: name,
        target,
        row,
        subject: subjectOf(values),
        trace: !values.flag('no-trace'),
        ...runningArguments(values),
      };
    case 'gold save':
      return {
        command: name,
        target,
        row,
        into: values.text('into') ?? DEFAULT_INTO,
        force: values.flag('force'),
        ...runningArguments(values),
      };
    case 'gold check':
      return { command: name, target, row, task: taskOf(values), ...runningArguments(values) };
    case 'gold export':
      return goldExportArguments(values);
    case 'history':
      return { command: name, workspace: target, limit: limitOf(values, 'runs') };
    case 'doctor':
      return {
        command: name,
        dataset: values.positionals[0],
        row,
        runtime: runtimeOf(values.text('runtime') ?? 'auto'),
        imageMap: imageMapOf(values),
        into: values.text('into') ?? DEFAULT_INTO,
      };
  }
}

/** The command that argv names, also when the other arguments are wrong; null when there is none. */
export function commandOf([first, next]: readonly string[]): CommandName | null {
  return (first === undefined ? undefined : nameOf(first, next)) ?? null;
}

/** Whether JSON was asked for, also when the rest of the arguments is wrong. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

/** A command of two words is named by both: `gold check`. */
function nameOf(first: string, next: string | undefined): CommandName | undefined {
  return [first, `${first} ${next ?? ''}`].find(isCommand);
}

/** @throws CliError when there is no such command */
function commandNamed(name: string, next: string | undefined): CommandName {
  const known = nameOf(name, next);
  if (known !== undefined) return known;
  const under = Object.keys(COMMANDS).filter((command) => command.startsWith(`${name} `));
  if (under.length > 0)
    throw usage(
      next === undefined || next.startsWith('-')
        ? `"${name}" needs to know what to do.`
        : `There is no command "${name} ${next}".`,
      `The commands are ${joinWords(under)}; see "repair-bench ${under[0] ?? ''} --help".`,
    );
  const meant = name.startsWith('-') ? [] : didYouMean(name, Object.keys(COMMANDS));
  throw usage(
    name.startsWith('-') ? `Unknown option ${name}.` : `There is no command "${name}".`,
    meant.length === 0
      ? `The commands are ${joinWords(Object.keys(COMMANDS))}; see "repair-bench --help".`
      : `Did you mean ${joinWords(
          meant.map((each) => `"repair-bench ${each}"`),
          { last: 'or' },
        )}?`,
  );
}

interface Values {
  readonly positionals: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
}

function optionsOf(name: CommandName, args: readonly string[]): Values {
  const command: CommandSpec = COMMANDS[name];
  const options = Object.fromEntries(
    Object.entries(command.options).map(([key, { type, multiple, short }]) => [
      key,
      { type, ...(multiple === undefined ? {} : { multiple }), ...(short === undefined ? {} : { short }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
    });
    return {
      positionals,
      flag: (key) => values[key] === true,
      text: (key) => [values[key]].flat().findLast((value) => typeof value === 'string'),
      texts: (key) => [values[key]].flat().filter((value) => typeof value === 'string'),
    };
  } catch (error) {
    throw optionError(error, name, command);
  }
}

/** Adds the right form to Node's message, which only names the option. */
function optionError(error: unknown, name: CommandName, command: CommandSpec): CliError {
  const words = error instanceof Error ? error.message : String(error);
  const [, option = ''] = /'(-[^' ]+)/.exec(words) ?? [];
  const key = option.replace(/^-+/, '');
  const known = Object.hasOwn(command.options, key) ? command.options[key] : undefined;
  if (known !== undefined)
    return usage(
      known.type === 'string' ? `--${key} needs a value.` : `--${key} takes no value.`,
      known.type === 'string' ? `Write it as --${key}=${known.value ?? 'VALUE'}.` : `Write it as --${key}.`,
    );
  const meant = didYouMean(key, Object.keys(command.options));
  return usage(
    `"${name}" has no option ${option === '' ? words : option}.`,
    meant.length === 0
      ? `See "repair-bench ${name} --help".`
      : `Did you mean ${joinWords(
          meant.map((each) => `--${each}`),
          { last: 'or' },
        )}?`,
  );
}

function wrongNumber(name: CommandName, tooFew: boolean, extra: string | undefined): CliError {
  const forms = COMMANDS[name].usage.map((form) => `repair-bench ${name} ${form}`).join('  or  ');
  return usage(
    tooFew
      ? `"${name}" needs to know what to ${name.split(' ').at(-1) ?? name}.`
      : `"${name}" was given one argument too many: ${extra ?? ''}.`,
    `Use: ${forms}`,
  );
}

function limitOf(values: Values, what: 'rows' | 'runs'): number {
  const text = values.text('limit');
  if (text === undefined) return DEFAULT_LIMIT;
  if (!/^\d{1,15}$/.test(text))
    throw usage(`--limit ${text} is not a number of ${what}.`, `Give a whole number; 0 shows all ${what}.`);
  return Number(text) === 0 ? Number.MAX_SAFE_INTEGER : Number(text);
}

function runningArguments(values: Values): VerifierArguments {
  return {
    runtime: runtimeOf(values.text('runtime') ?? 'auto'),
    imageMap: imageMapOf(values),
    timeoutMs: timeoutOf(values.text('timeout')),
    network: values.flag('network'),
    hostVariables: values.texts('host-var').map(hostVariable),
  };
}

function goldExportArguments(values: Values): GoldExportArguments {
  const to = values.text('to');
  const dataset = values.text('dataset');
  if (to === undefined)
    throw usage(
      '"gold export" needs to know where to write.',
      'Name the new file or folder with --to TARGET.',
    );
  if (dataset === undefined && values.positionals.length > 1)
    throw usage(
      'Several gold fixes are exported into the dataset that they were saved for.',
      'Name it with --dataset DATASET, or name one gold fix.',
    );
  return {
    command: 'gold export',
    folders: values.positionals,
    dataset,
    to,
    skipUnmatched: values.flag('skip-unmatched'),
    force: values.flag('force'),
  };
}

function taskOf(values: Values): GoldCheckArguments['task'] {
  const dataset = values.text('task');
  const row = values.text('row');
  if (dataset !== undefined) return { dataset, row };
  if (row === undefined) return undefined;
  throw usage('--row says which row, but not of which dataset.', 'Name the dataset with --task DATASET.');
}

function subjectOf(values: Values): SubjectArgument {
  const path = values.text('solution');
  const wanted = [
    ...(path === undefined ? [] : [{ kind: 'solution', path } as const]),
    ...(values.flag('gold') ? [{ kind: 'gold' } as const] : []),
    ...(values.flag('starter') ? [{ kind: 'starter' } as const] : []),
  ];
  if (wanted.length > 1)
    throw usage(
      `${joinWords(wanted.map(({ kind }) => `--${kind}`))} cannot be given together.`,
      'Choose what to verify: one of --solution PATH, --gold and --starter.',
    );
  return wanted[0] ?? { kind: 'default' };
}

function runtimeOf(text: string): VerifyArguments['runtime'] {
  if (text === 'auto' || text === 'docker' || text === 'sandbox') return text;
  throw usage(`--runtime ${text} is not known.`, 'Choose docker, sandbox or auto.');
}

function imageMapOf(values: Values): Readonly<Record<string, string>> {
  return Object.fromEntries(values.texts('image-map').map(imagePair));
}

function imagePair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw usage(
    `--image-map ${text} is not of the form A=B.`,
    'Write it as --image-map python:3.10-slim=mirror/python:3.10-slim.',
  );
}

function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= MOST_TIMEOUT_SEC) return seconds * 1000;
  throw usage(
    `--timeout ${text} is not a time limit.`,
    `Give seconds, above 0 and up to ${MOST_TIMEOUT_SEC}.`,
  );
}

function hostVariable(text: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return text;
  throw usage(`--host-var ${text} is not the name of a variable.`, 'Give the name alone, without a value.');
}

function usage(message: string, nextStep: string): CliError {
  return new CliError('usage', message, nextStep);
}
