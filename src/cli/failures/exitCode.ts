/** The exit codes of `repair-bench`: a script can tell a low reward from a broken verifier and from a broken machine. */
import type { Verdict } from '../../verifier/verdict/verdict.ts';

export const EXIT = {
  /** The command did what was asked; for `verify`: the reward is 1 or more. */
  ok: 0,
  /** The verifier wrote a reward below 1. */
  scoredLower: 1,
  /** `doctor`: something needs attention. */
  needsCare: 1,
  /** Bad input or usage. */
  badInput: 2,
  /** The verifier ended without a readable reward, or the task has none. */
  unscored: 3,
  /** The engine, the network, the disk, or this program, failed. */
  engineError: 4,
  /** Stopped by the user: 128 + SIGINT, as shells have it. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(verdict: Verdict): ExitCode {
  switch (verdict.outcome) {
    case 'scored':
      return verdict.reward >= 1 ? EXIT.ok : EXIT.scoredLower;
    case 'unscored':
    case 'no-verifier':
      return EXIT.unscored;
    case 'engine-error':
      return EXIT.engineError;
    case 'cancelled':
      return EXIT.cancelled;
  }
}
