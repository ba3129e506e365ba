/** Verdicts when nothing ran: there is no verifier, the engine or the machine failed first, or the run was cancelled. */
import type { Fault } from '../../fault/remedy.ts';
import type { RuntimeFailure } from '../../runtime/runtime.ts';
import { ENVIRONMENT_FOLDER } from '../../task/taskLayout.ts';
import { type EngineErrorVerdict, type UnrunVerdict, VERDICT_VERSION } from './verdict.ts';

type HoldsFor = UnrunVerdict['holdsFor'];

/** Why nothing ran: a runtime's failure, or a task without an image. */
export type UnrunReason = Omit<RuntimeFailure, 'reason'> & {
  readonly reason: RuntimeFailure['reason'] | 'no-image';
};

export function cancelledVerdict(holdsFor: HoldsFor): UnrunVerdict {
  return { outcome: 'cancelled', version: VERDICT_VERSION, holdsFor };
}

export function noVerifierVerdict({ message, remedies }: Fault, holdsFor: HoldsFor): UnrunVerdict {
  return { outcome: 'no-verifier', version: VERDICT_VERSION, message, remedies, holdsFor };
}

export function engineErrorVerdict(
  { reason, message, detail = '', remedies, at }: UnrunReason,
  holdsFor: HoldsFor,
): EngineErrorVerdict {
  return {
    outcome: 'engine-error',
    version: VERDICT_VERSION,
    reason,
    message,
    ...(detail === '' ? {} : { detail }),
    remedies,
    // A runtime names files relative to the build context.
    ...(at === undefined ? {} : { at: { ...at, file: `${ENVIRONMENT_FOLDER}/${at.file}` } }),
    holdsFor,
  };
}
