/** The entries of "Check My Set-up": state in words, then what to do. Pure. */
import type { QuickPickItem } from 'vscode';
import type { Finding, FindingState, Fix } from '../doctor/finding.ts';
import { plainLabel } from './plainText.ts';
import type { Translate } from './translate.ts';

export type SetupChoice = QuickPickItem & {
  /** What choosing it does; undefined: nothing, it only tells. */
  readonly fix?: Fix;
  readonly again?: true;
};

const MOST_DETAIL = 300;

/** The entries: one for each finding, and below it one for each thing that a person can do. */
export function setupChoices(findings: readonly Finding[], t: Translate): SetupChoice[] {
  return findings.flatMap(({ title, state, says, details, fixes }) => [
    {
      label: `$(${ICONS[state]}) ${title}`,
      description: stateInWords(state, t),
      detail: cut(plainLabel([says, ...details].join(' '))),
    },
    ...fixes.map((fix): SetupChoice => ({
      label: `$(tools) ${fixLabel(fix, t)}`,
      description: cut(plainLabel(fix.kind === 'type' ? fix.command : '')),
      detail: cut(plainLabel(fix.words)),
      fix,
    })),
  ]);
}

const ICONS: Readonly<Record<FindingState, string>> = {
  fine: 'pass',
  'needs-care': 'warning',
  'not-needed': 'circle-slash',
  'not-checked': 'question',
};

function stateInWords(state: FindingState, t: Translate): string {
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

function fixLabel(fix: Fix, t: Translate): string {
  switch (fix.kind) {
    case 'type':
      return t('Type into Terminal');
    case 'setting':
      return t('Open Settings');
    case 'use-sandbox':
      return t('Use Sandbox');
    case 'advice':
      return t('What to do');
  }
}

export function setupSummary(findings: readonly Finding[], t: Translate): string {
  const needy = findings.filter(({ state }) => state === 'needs-care').length;
  return needy === 0
    ? t('Nothing needs care.')
    : t('{0} of {1} need care. Choose what to do.', needy, findings.length);
}

function cut(text: string): string {
  return text.length > MOST_DETAIL ? `${text.slice(0, MOST_DETAIL)}…` : text;
}
