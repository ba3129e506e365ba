/** The token for a hub that a person entered here. VS Code stores one for each hub, so that no hub gets another's. */
import type * as vscode from 'vscode';
import type { HubSettings } from '../../dataset/hub/hubSettings.ts';

/** The settings with the token that VS Code stores, which wins over those of the environment. */
export async function withStoredToken(
  secrets: vscode.SecretStorage,
  settings: HubSettings,
): Promise<HubSettings> {
  const value = await secrets.get(keyOf(settings.endpoint));
  return value === undefined ? settings : { ...settings, token: { value, from: 'VS Code' } };
}

/** Asks for a token and stores it; an empty answer deletes the stored one. False: the person cancelled. */
export async function askForToken(
  api: typeof vscode,
  secrets: vscode.SecretStorage,
  endpoint: string,
): Promise<boolean> {
  const { l10n, window } = api;
  const { isToken } = await import('../../dataset/hub/hubSettings.ts');
  const answer = await window.showInputBox({
    title: l10n.t('Token for {0}', new URL(endpoint).host),
    prompt: l10n.t(
      'Create one at {0} with read access. Leave this empty to delete the stored token.',
      `${endpoint}/settings/tokens`,
    ),
    placeHolder: 'hf_…',
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || isToken(text.trim())
        ? undefined
        : l10n.t('A token has no blanks and only plain letters, digits and signs.'),
  });
  if (answer === undefined) return false;
  const token = answer.trim();
  if (token === '') await secrets.delete(keyOf(endpoint));
  else await secrets.store(keyOf(endpoint), token);
  return true;
}

function keyOf(endpoint: string): string {
  return `hubToken ${endpoint}`;
}
