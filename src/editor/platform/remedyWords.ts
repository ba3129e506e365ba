/** Remedies in the words of the editor: settings by their full names, commands by their titles. */
import type * as vscode from 'vscode';
import { joinRemedies, type Remedy, type RemedyToWord, type SettingName } from '../../fault/remedy.ts';
import type { Translate } from '../../wording/translate.ts';
import { SETTINGS_SECTION } from './settings.ts';

/** What a person can do, as sentences. */
export function remedyWords(remedies: readonly Remedy[], t: Translate): string {
  return joinRemedies(
    remedies,
    (remedy) => sentenceOf(remedy, t),
    (sentence) => t('Or {0}', sentence),
  );
}

/** A fault or a warning, and what can be done about it. */
export function withRemedies(
  { message, remedies = [] }: { readonly message: string; readonly remedies?: readonly Remedy[] | undefined },
  t: Translate,
): string {
  return remedies.length === 0 ? message : `${message} ${remedyWords(remedies, t)}`;
}

/** One remedy without its line for a terminal, where it is one. */
export function remedyWithoutLine(remedy: Remedy, t: Translate): string {
  return remedy.kind === 'command' ? joinRemedies([remedy], ({ to }) => `${to}.`) : remedyWords([remedy], t);
}

/** The setting that helps first; undefined when none does. */
export function settingThatHelps(remedies: readonly Remedy[]): SettingName | undefined {
  return remedies.find((remedy) => remedy.kind === 'setting')?.name;
}

export async function openSetting(api: typeof vscode, name: SettingName): Promise<void> {
  await api.commands.executeCommand('workbench.action.openSettings', settingId(name));
}

function settingId(name: SettingName): string {
  return `${SETTINGS_SECTION}.${name}`;
}

function sentenceOf(remedy: RemedyToWord, t: Translate): string {
  switch (remedy.kind) {
    case 'setting': {
      const { to, name, value } = remedy;
      return value === undefined
        ? t('{0} with the setting {1}.', to, settingId(name))
        : t('{0}: set {1} to "{2}".', to, settingId(name), value);
    }
    case 'choice':
      return choiceSentence(remedy, t);
    case 'command':
      return `${remedy.to}: \`${remedy.line}\`.`;
  }
}

function choiceSentence({ name, to }: Extract<Remedy, { kind: 'choice' }>, t: Translate): string {
  switch (name) {
    case 'replace':
      return t('{0}: choose "Replace" when you are asked.', to);
    case 'dataset':
      return t('{0}: "Export Gold Fixes…" asks for it.', to);
    case 'skip-unmatched':
      return t('{0}: "Export Gold Fixes…" does so by itself.', to);
  }
}
