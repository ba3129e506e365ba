/** The one error of this module: what is wrong with which gold fix, and what to do about it. */
import { RepairBenchError } from '../fault/repairBenchError.ts';

export type GoldErrorCode =
  /** No folder, or no `gold.json` in it. */
  | 'not-a-gold-fix'
  /** `gold.json` cannot be used: no JSON, of a newer version, or a field is wrong. */
  | 'damaged'
  /** A file of the gold fix cannot be read, or is no plain file. */
  | 'unreadable'
  /** One of its files was changed since it was saved. */
  | 'edited'
  /** The solution is the starter: there is no fix to save. */
  | 'unchanged'
  /** The verifier did not give reward 1. */
  | 'not-solved'
  /** The verifier gave no reward. */
  | 'unscored'
  /** The run could not take place. */
  | 'engine-error'
  /** Another gold fix, or something else, is where this one would go. */
  | 'occupied'
  /** The gold fix is of another task. */
  | 'other-task'
  /** Where it should go has no place for it. */
  | 'wrong-target'
  /** Its task is not beside it and was not named. */
  | 'no-task';

export class GoldError extends RepairBenchError<GoldErrorCode> {
  override readonly name = 'GoldError';
}
