/** Remedies in the words of the command line: a setting is an option of the current command, or a variable. */
import {
  type ChoiceName,
  joinRemedies,
  type Remedy,
  type RemedyToWord,
  type SettingName,
} from '../../fault/remedy.ts';
import type { Warning } from '../../verifier/verdict/verdict.ts';
import { COMMANDS, type CommandName, type CommandSpec } from '../commands.ts';

type OptionName = { [Name in CommandName]: keyof (typeof COMMANDS)[Name]['options'] }[CommandName];

/** `null`: no command was understood, so that no option can be named. */
type AtHand = CommandName | null;

const ENDPOINT_VARIABLE = 'DOCKER_HOST';

const SETTING_OPTIONS: Readonly<Record<Exclude<SettingName, 'dockerEndpoint'>, OptionName>> = {
  runtime: 'runtime',
  images: 'image-map',
  timeoutSeconds: 'timeout',
  allowNetwork: 'network',
  hostVariables: 'host-var',
  workspaceFolder: 'into',
};

const CHOICE_OPTIONS: Readonly<Record<ChoiceName, OptionName>> = {
  replace: 'force',
  dataset: 'dataset',
  'skip-unmatched': 'skip-unmatched',
};

/** What a person can do, as sentences. */
export function remedyWords(remedies: readonly Remedy[], command: AtHand): string {
  return joinRemedies(remedies, (remedy) => sentenceOf(remedy, command));
}

/** A warning with its remedies, as sentences. */
export function warningWords({ message, remedies = [] }: Warning, command: AtHand): string {
  return [message, remedyWords(remedies, command)].filter((part) => part !== '').join(' ');
}

/** One remedy, with the line to type in a terminal as a separate value. */
export function remedyAndLine(remedy: Remedy, command: AtHand): { message: string; command: string | null } {
  return remedy.kind === 'command'
    ? { message: joinRemedies([remedy], ({ to }) => `${to}.`), command: remedy.line }
    : { message: remedyWords([remedy], command), command: null };
}

function sentenceOf(remedy: RemedyToWord, command: AtHand): string {
  if (remedy.kind === 'command') return `${remedy.to}: \`${remedy.line}\`.`;
  const means = meansOf(remedy, command);
  return means === undefined ? `${remedy.to}.` : `${remedy.to} with ${means}.`;
}

function meansOf(remedy: Exclude<RemedyToWord, { kind: 'command' }>, command: AtHand): string | undefined {
  if (remedy.kind === 'choice') return optionText(CHOICE_OPTIONS[remedy.name], undefined, command);
  return remedy.name === 'dockerEndpoint'
    ? `the variable ${ENDPOINT_VARIABLE}`
    : optionText(SETTING_OPTIONS[remedy.name], remedy.value, command);
}

/** As it is typed, such as `--image-map A=B`; undefined when the command has no such option. */
function optionText(name: OptionName, value: string | undefined, command: AtHand): string | undefined {
  const spec: CommandSpec | undefined = command === null ? undefined : COMMANDS[command];
  const option = spec?.options[name];
  return option && [`--${name}`, value ?? option.value].filter((part) => part !== undefined).join(' ');
}
