/** Why a dataset could not be had from the hub: one error type, a code per reason, and what to do next. */
import { RepairBenchError } from '../../fault/repairBenchError.ts';

export type HubErrorCode =
  | 'not-an-address'
  | 'bad-settings'
  | 'repo-not-found'
  | 'gated'
  | 'token-refused'
  | 'forbidden'
  | 'revision-not-found'
  | 'file-not-found'
  | 'no-task-files'
  | 'too-many-files'
  | 'unsafe-name'
  | 'offline'
  | 'unreachable'
  | 'rate-limited'
  | 'server-error'
  | 'bad-answer'
  | 'wrong-bytes'
  | 'disk-full'
  | 'cache-unusable';

export class HubError extends RepairBenchError<HubErrorCode> {
  override readonly name = 'HubError';
}

/** Whether the same request may well succeed in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof HubError && (error.code === 'unreachable' || error.code === 'server-error');
}

/** Whether it may succeed later, or after a person has made room. */
export function mayPass(error: HubError): boolean {
  return isPassing(error) || ['rate-limited', 'wrong-bytes', 'disk-full'].includes(error.code);
}

/** Whether another token, or any, could change the answer. */
export function mayNeedToken({ code }: HubError): boolean {
  return code === 'repo-not-found' || code === 'gated' || code === 'token-refused' || code === 'forbidden';
}
