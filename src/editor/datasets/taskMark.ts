/** The mark of a row in the Tasks view: how far a person got with it, as an icon and in words. Pure. */
import type { Verdict } from '../../verifier/verdict/verdict.ts';
import { rewardText } from '../../verifier/verdict/verdictFacts.ts';
import type { Translate } from '../../wording/translate.ts';

export type TaskMark =
  /** No workspace yet. */
  | { readonly kind: 'untouched' }
  /** Opened, still as shipped, and no verdict holds for it. */
  | { readonly kind: 'unverified' }
  /** Changed, and no verdict holds for it. */
  | { readonly kind: 'edited' }
  | { readonly kind: 'solved'; readonly reward: number }
  | { readonly kind: 'failed'; readonly reward: number }
  /** The last run gave no reward. */
  | { readonly kind: 'no-reward' }
  /** The run could not take place, so it says nothing about the solution. */
  | { readonly kind: 'could-not-run' };

/** The mark of a row, and whether its workspace holds a gold fix. */
export type RowMark = TaskMark & { readonly goldFix?: boolean };

export interface MarkFacts {
  readonly changed: boolean;
  readonly lastVerdict: Verdict | undefined;
  /** Whether the last verdict holds for the solution as it is. */
  readonly holds: boolean;
}

export function markOf(facts: MarkFacts | undefined): TaskMark {
  if (!facts) return { kind: 'untouched' };
  const { lastVerdict, holds, changed } = facts;
  if (lastVerdict && holds) {
    if (lastVerdict.outcome === 'scored')
      return { kind: lastVerdict.reward >= 1 ? 'solved' : 'failed', reward: lastVerdict.reward };
    if (lastVerdict.outcome === 'unscored' || lastVerdict.outcome === 'no-verifier')
      return { kind: 'no-reward' };
    if (lastVerdict.outcome === 'engine-error') return { kind: 'could-not-run' };
  }
  return { kind: changed ? 'edited' : 'unverified' };
}

export interface MarkAppearance {
  /** A product icon and, in addition to it, a theme colour. */
  readonly icon: string;
  readonly color: string | undefined;
  /** Short, as a view is narrow; the icon says the rest. Empty for rows nobody has opened. */
  readonly words: string;
  /** The whole mark in words, for screen readers. */
  readonly spoken: string;
}

export function markAppearance(mark: TaskMark, t: Translate): MarkAppearance {
  switch (mark.kind) {
    case 'untouched':
      return { icon: 'circle-outline', color: undefined, words: '', spoken: t('not opened') };
    case 'unverified':
      return { icon: 'circle-filled', color: undefined, words: t('unverified'), spoken: t('unverified') };
    case 'edited':
      return { icon: 'edit', color: undefined, words: t('edited'), spoken: t('edited, unverified') };
    case 'solved':
      return {
        icon: 'pass-filled',
        color: 'testing.iconPassed',
        words: t('reward {0}', rewardText(mark.reward)),
        spoken: t('solved, reward {0}', rewardText(mark.reward)),
      };
    case 'failed':
      return {
        icon: 'error',
        color: 'testing.iconFailed',
        words: t('reward {0}', rewardText(mark.reward)),
        spoken: t('failed, reward {0}', rewardText(mark.reward)),
      };
    case 'no-reward':
      return {
        icon: 'warning',
        color: 'testing.iconErrored',
        words: t('no reward'),
        spoken: t('verified without a reward'),
      };
    case 'could-not-run':
      return {
        icon: 'circle-slash',
        color: 'testing.iconErrored',
        words: t('could not run'),
        spoken: t('could not run'),
      };
  }
}
