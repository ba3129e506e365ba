/** A finding of the doctor about one part of the set-up, with remedies. */
import type { Remedy } from '../fault/remedy.ts';
import type { Translate } from '../wording/translate.ts';

export type CheckName =
  'engine' | 'permissions' | 'images' | 'sandbox' | 'python' | 'disk' | 'cache' | 'program';

/** `not-needed`: it does not work, but the runtime in use does not need it. */
export type FindingState = 'fine' | 'needs-care' | 'not-needed' | 'not-checked';

export interface Finding {
  readonly check: CheckName;
  readonly title: string;
  readonly state: FindingState;
  /** One sentence. */
  readonly message: string;
  /** Further sentences, such as the engine's own words; empty when there are none. */
  readonly details: readonly string[];
  /** The best first. */
  readonly remedies: readonly Remedy[];
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
  message: string,
  more: { readonly details?: readonly string[]; readonly remedies?: readonly Remedy[] } = {},
): Finding {
  return {
    check,
    title: TITLES[check],
    state,
    message: message,
    details: more.details ?? [],
    remedies: state === 'needs-care' ? (more.remedies ?? []) : [],
  };
}

/** Said of a line that installs something. */
export const FOR_DEBIAN = 'This line is for Debian and Ubuntu.';

export function stateWords(state: FindingState, t: Translate): string {
  switch (state) {
    case 'fine':
      return t('fine');
    case 'needs-care':
      return t('needs attention');
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
    ? t('1 of {0} needs attention.', findings.length)
    : t('{0} of {1} need attention.', needy, findings.length);
}

/** Whether a person need do nothing. */
export function allFine(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state !== 'needs-care');
}
