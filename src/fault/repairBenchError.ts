/** The base of every error that a person is shown: a code for the program, a message and remedies for the person. */
import { type GivenRemedies, type Remedy, remediesOf } from './remedy.ts';

export abstract class RepairBenchError<Code extends string = string> extends Error {
  readonly code: Code;
  /** What a person can do about it, the best first. */
  readonly remedies: readonly Remedy[];

  /** @param message what happened, to what and why: whole sentences */
  constructor(code: Code, message: string, remedies: GivenRemedies, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedies = remediesOf(remedies);
  }
}

/** Also for an error of another bundle, in which the class exists a second time. */
export function isRepairBenchError(error: unknown): error is RepairBenchError {
  return error instanceof Error && 'code' in error && 'remedies' in error && Array.isArray(error.remedies);
}
