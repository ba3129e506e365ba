/** The keys of the run queue: of jobs with the same key one runs at a time, and a newer one replaces the older. */
import type { OpenTask } from '../task/openTask.ts';

export type RunPurpose = 'verify' | 'trial' | 'check gold' | 'save gold';

/** The key for one purpose of one task. */
export function runKey({ folder }: OpenTask, purpose: RunPurpose): string {
  return `${purpose}\0${folder}`;
}
