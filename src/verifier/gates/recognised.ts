/** What a command is recognised as: a gate, or the reading of a file that a gate compares. */
import type { PathRole } from './gatePaths.ts';
import type { GateKind } from '../verdict/verdict.ts';

/** A command recognised as a gate, and which exit status lets it pass. */
export interface Recognised {
  readonly kind: Exclude<GateKind, 'check'>;
  readonly passesOn: 'zero' | 'nonzero';
  /** The path it is about, as the command names it. */
  readonly path: string | undefined;
  /** Only a part of the file is compared, such as one line of it. */
  readonly partial?: true;
}

/** What a digest or a reader such as `cat` takes in, when it is a file with a role. */
export interface Taken {
  readonly path: string;
  readonly role: PathRole;
  /** Whether all of the file counts, as it does for a hash. */
  readonly whole: boolean;
}

/** A comparison of the solution with the gold or the baseline; `equalOn` is the status that means *equal*. */
export function comparisonOf(
  solution: string,
  roles: readonly (PathRole | undefined)[],
  equalOn: 'zero' | 'nonzero',
): Recognised | undefined {
  if (roles.includes('gold')) return { kind: 'matches-gold', passesOn: equalOn, path: solution };
  if (!roles.includes('baseline')) return undefined;
  return { kind: 'edited', passesOn: equalOn === 'zero' ? 'nonzero' : 'zero', path: solution };
}
