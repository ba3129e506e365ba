/** The runtime and the options with which a command runs verifiers. */
import { homedir } from 'node:os';
import { chooseRuntime, type RuntimeChoice, type RuntimeRequest } from '../../runtime/chooseRuntime.ts';
import { loadBashGrammar } from '../../verifier/script/bashGrammar.ts';
import type { VerifyOptions } from '../../verifier/verify.ts';
import type { VerifierArguments } from '../input/arguments.ts';
import { cancelled, CliError } from '../failures/cliError.ts';
import type { Console } from '../terminal/console.ts';
import { EXIT } from '../failures/exitCode.ts';
import { grammarFiles } from './grammarFiles.ts';
import { hang } from '../terminal/textLayout.ts';

export type ChosenRuntime = Extract<RuntimeChoice, { kind: 'chosen' }>;

/** The runtime that the command line asks for. */
export function runtimeRequestOf({
  runtime,
  imageMap,
}: Pick<VerifierArguments, 'runtime' | 'imageMap'>): RuntimeRequest {
  return {
    kind: runtime,
    ownerSuffix: 'cli',
    env: process.env,
    home: homedir(),
    platform: process.platform,
    imageMap,
  };
}

/** Chooses the runtime, and prints why when Docker was not chosen. The caller disposes of it. */
export async function runtimeFor(
  args: Pick<VerifierArguments, 'runtime' | 'imageMap'>,
  console: Console,
  signal: AbortSignal,
): Promise<RuntimeChoice> {
  console.progress.phase('runtime');
  const choice = await chooseRuntime(runtimeRequestOf(args), signal);
  if (choice.kind === 'chosen' && choice.passedOver && !console.json) {
    const words = `Using the sandbox: ${choice.passedOver.message}`;
    console.note(hang('! ', words, console.style.width));
  }
  return choice;
}

/** The same for commands that need a runtime. @throws CliError with exit code 4, or 130 when cancelled */
export async function requireRuntime(
  args: Pick<VerifierArguments, 'runtime' | 'imageMap'>,
  console: Console,
  signal: AbortSignal,
): Promise<ChosenRuntime> {
  const choice = await runtimeFor(args, console, signal);
  switch (choice.kind) {
    case 'chosen':
      return choice;
    case 'cancelled':
      throw cancelled();
    case 'failed': {
      const { reason, message, remedies } = choice.failure;
      throw new CliError(reason, message, remedies, EXIT.engineError);
    }
  }
}

/** All but whether the run is traced. */
export async function verifyOptionsOf(args: VerifierArguments): Promise<Omit<VerifyOptions, 'trace'>> {
  return {
    parseBash: await loadBashGrammar(grammarFiles()),
    ...(args.timeoutMs === undefined ? {} : { timeoutMs: args.timeoutMs }),
    allowNetwork: args.network,
    allowedHostNames: new Set(args.hostVariables),
    hostEnv: process.env,
  };
}
