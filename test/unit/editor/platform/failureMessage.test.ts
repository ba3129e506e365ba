import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Failures, messageOf, UserFacingError } from '../../../../src/editor/platform/failureMessage.ts';
import { inWords } from '../../../../src/fault/remedy.ts';
import { inEnglish } from '../../../../src/wording/translate.ts';

describe('a remedy in the editor', () => {
  it('follows the message of an error', () => {
    const remedies = [inWords('Mend it.')];
    const says = (error: unknown) => messageOf(error, inEnglish);
    assert.equal(says(new UserFacingError('Broken.', undefined, { remedies })), 'Broken. Mend it.');
    assert.equal(says(Object.assign(new Error('Broken.'), { code: 'x', remedies })), 'Broken. Mend it.');
    assert.equal(says(new UserFacingError('Broken.')), 'Broken.');
    assert.equal(says('text'), 'text');
  });
});

describe('failures', () => {
  it('are shown and logged also where only the way to do so was handed on', async () => {
    const shown: string[] = [];
    const show = (severity: string) => async (message: string, button: string) => {
      shown.push(`${severity}: ${message} [${button}]`);
      return undefined;
    };
    const api = {
      l10n: { t: inEnglish },
      window: { showErrorMessage: show('error'), showWarningMessage: show('warning') },
    } as unknown as typeof vscode;
    const log = {
      error: (message: string) => shown.push(`logged ${message}`),
      warn: (message: string) => shown.push(`logged ${message}`),
    } as unknown as vscode.LogOutputChannel;
    const { report, warn } = new Failures(api, log);
    await Promise.reject(new UserFacingError('Nothing ran.')).catch(report);
    await Promise.reject(new UserFacingError('Nothing was kept.')).catch(warn);
    assert.deepEqual(shown, [
      ...['logged Nothing ran.', 'error: Nothing ran. [Show Log]'],
      ...['logged Nothing was kept.', 'warning: Nothing was kept. [Show Log]'],
    ]);
  });
});
