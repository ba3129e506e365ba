/** The base of every error that a person is shown: a code for the program, a message and remedies for the person. */
import { type Fault, type GivenRemedies, type Remedy, remediesOf } from './remedy.ts';

export abstract class RepairBenchError<Code extends string = string> extends Error implements Fault {
  readonly code: Code;
  readonly remedies: readonly Remedy[];

  constructor(code: Code, message: string, remedies: GivenRemedies, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedies = remediesOf(remedies);
  }
}

/** What an error says, whatever it is. */
export function faultOf(error: unknown): Fault {
  if (isRepairBenchError(error)) return { message: error.message, remedies: error.remedies };
  return { message: error instanceof Error ? error.message : String(error), remedies: [] };
}

/** Also for an error of another bundle, in which the class exists a second time. */
function isRepairBenchError(error: unknown): error is RepairBenchError {
  return error instanceof Error && 'code' in error && 'remedies' in error && Array.isArray(error.remedies);
}
