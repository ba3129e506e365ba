/** The help texts, made from the table of commands. Pure. */
import { COMMANDS, type CommandName, type CommandSpec, type OptionSpec } from '../commands.ts';
import type { TerminalStyle } from '../terminal/terminalStyle.ts';
import { displayWidth, hang, padEnd, wrap } from '../terminal/textLayout.ts';

export function mainHelp(style: TerminalStyle): string[] {
  const entries = Object.entries<CommandSpec>(COMMANDS);
  const width = Math.max(...entries.map(([name]) => name.length)) + 4;
  return [
    ...wrap(
      "Opens bug-repair tasks, runs a task's own verifier in a container and shows, gate by gate, why the reward is what it is.",
      style.width,
    ),
    '',
    'Usage: repair-bench <command> [arguments]',
    '',
    ...entries.flatMap(([name, { summary }]) => hang(padEnd(`  ${name}`, width), summary, style.width)),
    '',
    ...hang(padEnd('  --help', 14), 'Show this help, or that of a command.', style.width),
    ...hang(padEnd('  --version', 14), 'Show the version.', style.width),
  ];
}

export function commandHelp(name: CommandName, style: TerminalStyle): string[] {
  const command: CommandSpec = COMMANDS[name];
  const options = Object.entries(command.options).map(
    ([key, spec]) => [optionText(key, spec), spec.help] as const,
  );
  const width = Math.max(...options.map(([text]) => displayWidth(text))) + 2;
  return [
    ...wrap(command.summary, style.width),
    '',
    ...command.usage.map(
      (usage, index) => `${index === 0 ? 'Usage:' : '      '} repair-bench ${name} ${usage}`,
    ),
    '',
    ...options.flatMap(([text, help]) => hang(padEnd(text, width), help, style.width)),
    '',
    ...command.notes.flatMap((note) => wrap(note, style.width)),
  ];
}

function optionText(key: string, { short, value }: OptionSpec): string {
  const names = short === undefined ? `--${key}` : `--${key}, -${short}`;
  return value === undefined ? `  ${names}` : `  ${names} ${value}`;
}
