/** The entries of "Check My Set-up": state in words, then what to do. Pure. */
import type { QuickPickItem } from 'vscode';
import {
  allFine,
  type Finding,
  type FindingState,
  type Fix,
  stateWords,
  summaryWords,
} from '../doctor/finding.ts';
import { joined } from '../wording/joinWords.ts';
import { shortened } from '../wording/shortened.ts';
import { plainLabel } from './plainText.ts';
import type { Translate } from '../wording/translate.ts';

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
      description: stateWords(state, t),
      detail: shortened(plainLabel([says, ...details].join(' ')), MOST_DETAIL),
    },
    ...fixes.map((fix): SetupChoice => ({
      label: `$(tools) ${fixLabel(fix, t)}`,
      description: shortened(plainLabel(fix.kind === 'type' ? fix.command : ''), MOST_DETAIL),
      detail: shortened(plainLabel(fix.words), MOST_DETAIL),
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
  return joined([summaryWords(findings, t), allFine(findings) ? '' : t('Choose what to do.')], ' ');
}
