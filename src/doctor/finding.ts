/** What the doctor found of one part of the set-up, in words for a person, with what to do about it. */
import type { Translate } from '../wording/translate.ts';

export type CheckName =
  'engine' | 'permissions' | 'images' | 'sandbox' | 'python' | 'disk' | 'cache' | 'program';

/** `not-needed`: it does not work, and what is used here does without it. */
export type FindingState = 'fine' | 'needs-care' | 'not-needed' | 'not-checked';

/** Something to do; `words` is one sentence. */
export type Fix =
  /** A command line to type in a terminal of this machine. */
  | { readonly kind: 'type'; readonly words: string; readonly command: string }
  /** A setting to change, by its full name. */
  | { readonly kind: 'setting'; readonly words: string; readonly setting: string }
  | { readonly kind: 'use-sandbox'; readonly words: string }
  | { readonly kind: 'advice'; readonly words: string };

export interface Finding {
  readonly check: CheckName;
  readonly title: string;
  readonly state: FindingState;
  /** One sentence. */
  readonly says: string;
  /** Further sentences, such as the engine's own words; empty when there are none. */
  readonly details: readonly string[];
  /** The best first. */
  readonly fixes: readonly Fix[];
}

const TITLES: Readonly<Record<CheckName, string>> = {
  engine: 'Engine',
  permissions: 'Permissions',
  images: 'Images',
  sandbox: 'Sandbox',
  python: 'Python',
  disk: 'Disk',
  cache: 'Dataset cache',
  program: 'Program',
};

export function finding(
  check: CheckName,
  state: FindingState,
  says: string,
  more: { readonly details?: readonly string[]; readonly fixes?: readonly Fix[] } = {},
): Finding {
  return {
    check,
    title: TITLES[check],
    state,
    says,
    details: more.details ?? [],
    // What works, or is not needed, asks for nothing.
    fixes: state === 'needs-care' ? (more.fixes ?? []) : [],
  };
}

export function stateWords(state: FindingState, t: Translate): string {
  switch (state) {
    case 'fine':
      return t('fine');
    case 'needs-care':
      return t('needs care');
    case 'not-needed':
      return t('not needed');
    case 'not-checked':
      return t('not checked');
  }
}

/** All findings in one sentence. */
export function summaryWords(findings: readonly Finding[], t: Translate): string {
  const needy = findings.filter(({ state }) => state === 'needs-care').length;
  if (needy === 0) return t('Everything is in order.');
  return needy === 1
    ? t('1 of {0} needs care.', findings.length)
    : t('{0} of {1} need care.', needy, findings.length);
}

/** Whether a person need do nothing. */
export function allFine(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state !== 'needs-care');
}
