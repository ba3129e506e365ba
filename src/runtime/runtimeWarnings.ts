/** Warnings that every runtime can give about differences from the plan. Pure. */
import type { Evidence } from './evidence.ts';

export type RuntimeWarning = Evidence['notes'][number];

/** The image brings files to a folder that is emptied before the verifier runs. */
export function emptiedWarning(path: string): RuntimeWarning {
  return {
    code: path === '/tests' ? 'tests-dir-emptied' : 'directory-emptied',
    message: `The image has files of its own in ${path}; they were removed before the verifier ran.`,
  };
}

/** A limit of the plan cannot be enforced here. @param what such as `cpus`. */
export function notEnforcedWarning(runtime: string, what: string): RuntimeWarning {
  return {
    code: 'limit-not-enforced',
    message: `${runtime} cannot limit ${what} here, so the run was not limited.`,
  };
}

/** The plan asks for more processors than there are. @param who such as `the engine`. */
export function fewerCpusWarning(wanted: number, who: string, has: number): RuntimeWarning {
  return { code: 'fewer-cpus', message: `The task asks for ${wanted} processors; ${who} has ${has}.` };
}
