/** The entry of `repair-bench`: argv in, output and an exit code out. Errors, signals and closed pipes end here. */
import { writeSync } from 'node:fs';
import { commandOf, parseArguments, type Invocation, wantsJson } from './input/arguments.ts';
import { CANCELLED, type ErrorReport, reportOf } from './failures/cliError.ts';
import type { Console } from './terminal/console.ts';
import { doctorCommand } from './commands/doctorCommand.ts';
import { EXIT, type ExitCode } from './failures/exitCode.ts';
import { commandHelp, mainHelp } from './input/help.ts';
import { goldCheckCommand } from './commands/goldCheckCommand.ts';
import { goldSaveCommand } from './commands/goldSaveCommand.ts';
import { historyCommand } from './commands/historyCommand.ts';
import { DOCUMENT_VERSION } from './documents/jsonDocuments.ts';
import { listCommand } from './commands/listCommand.ts';
import { openCommand } from './commands/openCommand.ts';
import { flush, processConsole } from './terminal/processConsole.ts';
import { hang } from './terminal/textLayout.ts';
import { verifyCommand } from './commands/verifyCommand.ts';
import { VERSION } from './input/version.ts';

const controller = new AbortController();
let terminalGone = false;
cancelOnSignals();

void main(process.argv.slice(2)).then(async (code) => {
  const failure = await flush();
  if (terminalGone) endWithoutTerminal();
  // What a dead engine or a slow disk still holds open must not keep a finished command from ending.
  process.exit(failure ? outputFailed(failure) : code);
});

/** Reports output that could not be written, so that nobody mistakes a part of it for all. */
function outputFailed({ message }: Error): ExitCode {
  writeSync(
    2,
    `Error: The output could not be written: ${message}\nNext: Free some space where it goes, then run again.\n`,
  );
  return EXIT.engineError;
}

async function main(argv: readonly string[]): Promise<ExitCode> {
  const console = processConsole(wantsJson(argv));
  const { signal } = controller;
  const command = commandOf(argv);
  try {
    const invocation = parseArguments(argv);
    return await run(invocation, console, signal);
  } catch (error) {
    console.progress.stop();
    const report = signal.aborted ? CANCELLED : reportOf(error, command);
    if (process.env['REPAIR_BENCH_DEBUG'] === '1' && error instanceof Error)
      console.note((error.stack ?? error.message).split('\n'));
    printError(report, command, console);
    return report.exitCode;
  } finally {
    console.progress.stop();
  }
}

async function run(invocation: Invocation, console: Console, signal: AbortSignal): Promise<ExitCode> {
  switch (invocation.command) {
    case 'help':
      console.print(
        invocation.about === undefined
          ? mainHelp(console.style)
          : commandHelp(invocation.about, console.style),
      );
      return EXIT.ok;
    case 'version':
      console.print([`repair-bench ${VERSION}`]);
      return EXIT.ok;
    case 'list':
      return listCommand(invocation, console, signal);
    case 'fetch': {
      // The hub's client is large, and no other command needs it.
      const { fetchCommand } = await import('./commands/fetchCommand.ts');
      return fetchCommand(invocation, console, signal);
    }
    case 'open':
      return openCommand(invocation, console, signal);
    case 'verify':
      return verifyCommand(invocation, console, signal);
    case 'history':
      return historyCommand(invocation, console);
    case 'gold save':
      return goldSaveCommand(invocation, console, signal);
    case 'gold check':
      return goldCheckCommand(invocation, console, signal);
    case 'gold export': {
      // Writers of datasets are large, and no other command needs them.
      const { goldExportCommand } = await import('./commands/goldExportCommand.ts');
      return goldExportCommand(invocation, console, signal);
    }
    case 'doctor':
      return doctorCommand(invocation, console, signal);
  }
}

function printError(report: ErrorReport, command: string | null, console: Console): void {
  if (console.json) {
    console.printJson({ version: DOCUMENT_VERSION, command, error: report });
    return;
  }
  const { style } = console;
  const [first = '', ...others] = hang('Error: ', report.message, style.width);
  console.note([
    style.paint('red', first.slice(0, 6)) + first.slice(6),
    ...others,
    ...hang('Next: ', report.nextStep, style.width),
  ]);
}

/** The first signal cancels and waits until everything is cleaned up; the second ends at once. */
function cancelOnSignals(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      terminalGone ||= name === 'SIGHUP';
      if (controller.signal.aborted && !terminalGone) process.exit(EXIT.cancelled);
      controller.abort();
    });
}

/** Node's own exit crashes when it cannot reset a terminal that is gone; the signal's default does not try to. */
function endWithoutTerminal(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
