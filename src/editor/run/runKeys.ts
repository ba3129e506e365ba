/** What of one task runs one at a time: a newer job with the same key takes the older one's place in the queue. */
import type { OpenTask } from '../task/openTask.ts';

export type RunPurpose = 'verify' | 'trial' | 'check gold' | 'save gold';

/** The key of the run queue for one purpose of one task. */
export function runKey({ folder }: OpenTask, purpose: RunPurpose): string {
  return `${purpose}\0${folder}`;
}
