/** Every error as one line and one next step, with its exit code. */
import { DatasetError } from '../dataset/datasetError.ts';
import { HubError, type HubErrorCode } from '../dataset/hub/hubError.ts';
import { GoldError, type GoldErrorCode } from '../gold/goldError.ts';
import { TaskArchiveError } from '../task/archiveError.ts';
import { WorkspaceError } from '../workspace/workspaceError.ts';
import { EXIT, type ExitCode } from './exitCode.ts';
import { settingsAsOptions } from './settingsAsOptions.ts';

/** What the person asked for cannot be done. */
export class CliError extends Error {
  readonly code: string;
  readonly nextStep: string;
  readonly exitCode: ExitCode;

  constructor(code: string, message: string, nextStep: string, exitCode: ExitCode = EXIT.badInput) {
    super(message);
    this.name = 'CliError';
    this.code = code;
    this.nextStep = nextStep;
    this.exitCode = exitCode;
  }
}

export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly nextStep: string;
  readonly exitCode: ExitCode;
}

export const CANCELLED: ErrorReport = {
  code: 'cancelled',
  message: 'Cancelled.',
  nextStep: 'Run the command again when you like.',
  exitCode: EXIT.cancelled,
};

/** For a command whose work says that it was cancelled. */
export function cancelled(): CliError {
  const { code, message, nextStep, exitCode } = CANCELLED;
  return new CliError(code, message, nextStep, exitCode);
}

/** What the network, the hub or the disk is to blame for, and not what was asked for. */
const MACHINERY: ReadonlySet<HubErrorCode> = new Set<HubErrorCode>([
  'unreachable',
  'rate-limited',
  'server-error',
  'bad-answer',
  'wrong-bytes',
  'disk-full',
  'cache-unusable',
]);

export function reportOf(error: unknown): ErrorReport {
  if (error instanceof CliError) {
    const { code, message, nextStep, exitCode } = error;
    return { code, message, nextStep, exitCode };
  }
  if (error instanceof DatasetError || error instanceof WorkspaceError) {
    const { code, message, nextStep } = error;
    return { code, message, nextStep, exitCode: EXIT.badInput };
  }
  if (error instanceof HubError) {
    const { code, message, nextStep } = error;
    return { code, message, nextStep, exitCode: MACHINERY.has(code) ? EXIT.engineError : EXIT.badInput };
  }
  if (error instanceof GoldError) {
    const { code, message, nextStep } = error;
    return {
      code,
      message: settingsAsOptions(message),
      nextStep: settingsAsOptions(nextStep),
      exitCode: goldExitCode(code),
    };
  }
  if (error instanceof TaskArchiveError)
    return { code: error.code, ...splitNextStep(error.message), exitCode: EXIT.badInput };
  const words = error instanceof Error ? error.message : String(error);
  return {
    code: 'unexpected',
    message: `Something unexpected went wrong: ${words}`,
    nextStep: 'Run it again with REPAIR_BENCH_DEBUG=1 and report what it prints.',
    exitCode: EXIT.engineError,
  };
}

/** As the verdict that a gold fix was refused for would have ended `verify`. */
function goldExitCode(code: GoldErrorCode): ExitCode {
  if (code === 'not-solved') return EXIT.scoredLower;
  if (code === 'unscored') return EXIT.unscored;
  return code === 'engine-error' ? EXIT.engineError : EXIT.badInput;
}

/** Messages of archives end with the next step as a sentence of its own. */
function splitNextStep(message: string): { message: string; nextStep: string } {
  const at = message.lastIndexOf('. ');
  if (at === -1) return { message, nextStep: 'Check where this task comes from.' };
  return { message: message.slice(0, at + 1), nextStep: message.slice(at + 2) };
}
