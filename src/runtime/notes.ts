/** What every runtime can come to do differently from the plan, in whole sentences for a person. Pure. */
import type { Evidence } from './evidence.ts';

export type Note = Evidence['notes'][number];

/** The image brings files to a folder that is emptied before the verifier runs. */
export function emptiedNote(path: string): Note {
  return {
    code: path === '/tests' ? 'tests-dir-emptied' : 'directory-emptied',
    message: `The image has files of its own in ${path}; they were removed before the verifier ran.`,
  };
}

/** A limit of the plan that nothing here can hold a run to. @param what such as `cpus`. */
export function notEnforcedNote(runtime: string, what: string): Note {
  return {
    code: 'limit-not-enforced',
    message: `${runtime} cannot limit ${what} here; the run was not held to it.`,
  };
}

/** A plan cannot have more processors than there are. @param who such as `the engine`. */
export function fewerCpusNote(wanted: number, who: string, has: number): Note {
  return { code: 'fewer-cpus', message: `The task asks for ${wanted} processors; ${who} has ${has}.` };
}
