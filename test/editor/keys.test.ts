// Our keys take none that VS Code has.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateExtension } from './support/activateExtension.ts';

describe('key bindings', () => {
  it('are over no built-in chord', async () => {
    await activateExtension();
    const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    const bindings = [...text.matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g)];
    assert.ok(bindings.length > 500, `${bindings.length} key bindings`);
    const ours = bindings.filter(([, , command]) => command?.startsWith('repairBench.'));
    assert.ok(ours.length > 0);
    const taken = bindings.filter(
      ([, key, command]) =>
        !command?.startsWith('repairBench.') &&
        ours.some(([, our]) => our === key || key?.startsWith(`${our} `)),
    );
    assert.deepEqual(
      taken.map(([, key, command]) => `${key} ${command}`),
      [],
    );
  });
});
