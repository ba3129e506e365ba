/** The entries of "Check My Set-up": state in words, then what to do. Pure. */
import type { QuickPickItem } from 'vscode';
import { allFine, type Finding, type FindingState, stateWords, summaryWords } from '../../doctor/finding.ts';
import type { Remedy } from '../../fault/remedy.ts';
import { joined } from '../../wording/joinWords.ts';
import { shortened } from '../../wording/shortened.ts';
import { plainLabel } from '../platform/text/plainText.ts';
import { remedyWithoutLine } from '../platform/remedyWords.ts';
import type { Translate } from '../../wording/translate.ts';

export type SetupChoice = QuickPickItem & {
  /** What choosing it applies; undefined: the entry only informs. */
  readonly remedy?: Remedy;
  readonly again?: true;
};

const MOST_DETAIL = 300;

/** The entries: one for each finding, and below it one for each thing that a person can do. */
export function setupChoices(findings: readonly Finding[], t: Translate): SetupChoice[] {
  return findings.flatMap(({ title, state, message, details, remedies }) => [
    {
      label: `$(${ICONS[state]}) ${title}`,
      description: stateWords(state, t),
      detail: shortened(plainLabel([message, ...details].join(' ')), MOST_DETAIL),
    },
    ...remedies.map((remedy): SetupChoice => ({
      label: `$(tools) ${labelOf(remedy, t)}`,
      description: shortened(plainLabel(remedy.kind === 'command' ? remedy.line : ''), MOST_DETAIL),
      detail: shortened(plainLabel(remedyWithoutLine(remedy, t)), MOST_DETAIL),
      remedy,
    })),
  ]);
}

const ICONS: Readonly<Record<FindingState, string>> = {
  fine: 'pass',
  'needs-care': 'warning',
  'not-needed': 'circle-slash',
  'not-checked': 'question',
};

function labelOf(remedy: Remedy, t: Translate): string {
  switch (remedy.kind) {
    case 'command':
      return t('Type into Terminal');
    case 'setting':
      return isSandbox(remedy) ? t('Use Sandbox') : t('Open Setting');
    case 'choice':
    case 'words':
      return t('What to do');
  }
}

/** Whether the remedy is to choose the sandbox as the runtime. */
export function isSandbox(remedy: Remedy): boolean {
  return remedy.kind === 'setting' && remedy.name === 'runtime' && remedy.value === 'sandbox';
}

export function setupSummary(findings: readonly Finding[], t: Translate): string {
  return joined([summaryWords(findings, t), allFine(findings) ? '' : t('Choose what to do.')], ' ');
}
