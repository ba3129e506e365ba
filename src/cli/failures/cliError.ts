/** Turns every error into a message, a next step and an exit code. */
import { HubError, type HubErrorCode } from '../../dataset/hub/hubError.ts';
import type { GivenRemedies } from '../../fault/remedy.ts';
import { RepairBenchError } from '../../fault/repairBenchError.ts';
import { GoldError, type GoldErrorCode } from '../../gold/goldError.ts';
import type { CommandName } from '../commands.ts';
import { EXIT, type ExitCode } from './exitCode.ts';
import { remedyWords } from './remedyWords.ts';

/** The request cannot be carried out. */
export class CliError extends RepairBenchError {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(code: string, message: string, remedies: GivenRemedies, exitCode: ExitCode = EXIT.badInput) {
    super(code, message, remedies);
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

/** The error of a cancelled command. */
export function cancelled(): CliError {
  const { code, message, nextStep, exitCode } = CANCELLED;
  return new CliError(code, message, nextStep, exitCode);
}

/** Errors that are the fault of the network, the hub or the disk, and not of the request. */
const MACHINERY: ReadonlySet<HubErrorCode> = new Set<HubErrorCode>([
  'unreachable',
  'rate-limited',
  'server-error',
  'bad-answer',
  'wrong-bytes',
  'disk-full',
  'cache-unusable',
]);

/** The exit codes that `verify` gives for the same verdicts. */
const GOLD_EXITS: Readonly<Partial<Record<GoldErrorCode, ExitCode>>> = {
  'not-solved': EXIT.scoredLower,
  unscored: EXIT.unscored,
  'engine-error': EXIT.engineError,
};

/** @param command the command that failed; remedies name its options */
export function reportOf(error: unknown, command: CommandName | null): ErrorReport {
  if (error instanceof RepairBenchError) {
    const { code, message, remedies } = error;
    return { code, message, nextStep: remedyWords(remedies, command), exitCode: exitCodeFor(error) };
  }
  const words = error instanceof Error ? error.message : String(error);
  return {
    code: 'unexpected',
    message: `Something unexpected went wrong: ${words}`,
    nextStep: 'Run it again with REPAIR_BENCH_DEBUG=1 and report what it prints.',
    exitCode: EXIT.engineError,
  };
}

function exitCodeFor(error: RepairBenchError): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof HubError && MACHINERY.has(error.code)) return EXIT.engineError;
  return (error instanceof GoldError ? GOLD_EXITS[error.code] : undefined) ?? EXIT.badInput;
}
