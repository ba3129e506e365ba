/** A command that was recognised: as a gate, or as reading a file that a gate compares. */
import type { PathRole } from './gatePaths.ts';
import type { GateKind } from '../verdict/verdict.ts';

/** A command recognised as a gate, and which exit status lets it pass. */
export interface RecognisedGate {
  readonly kind: Exclude<GateKind, 'check'>;
  readonly passesOn: 'zero' | 'nonzero';
  /** The file that is checked, as the command names it. */
  readonly path: string | undefined;
  /** Only a part of the file is compared, such as one line of it. */
  readonly partial?: true;
}

/** A file with a role that `sha256sum`, `cat` or the like reads. */
export interface FileRead {
  readonly path: string;
  readonly role: PathRole;
  /** Whether the whole file is read, as for a hash. */
  readonly whole: boolean;
}

/** A comparison of the solution with the gold or the baseline; `equalOn` is the status that means *equal*. */
export function comparisonOf(
  solution: string,
  roles: readonly (PathRole | undefined)[],
  equalOn: 'zero' | 'nonzero',
): RecognisedGate | undefined {
  if (roles.includes('gold')) return { kind: 'matches-gold', passesOn: equalOn, path: solution };
  if (!roles.includes('baseline')) return undefined;
  return { kind: 'edited', passesOn: equalOn === 'zero' ? 'nonzero' : 'zero', path: solution };
}
