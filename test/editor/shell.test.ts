// Looking inside: a shell in the task's container, and spoilers for those who want no questions.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { answeringMessages } from './support/dialogs.ts';
import { closeAllEditors, inFront } from './support/editing.ts';
import { openTaskWithScript } from './support/openTask.ts';
import { configure, DOCKER, putBackSettings, SANDBOX } from './support/settings.ts';
import { until } from './support/until.ts';

describe('looking inside', () => {
  let api: ShownExtension;
  before(async () => {
    api = await activateExtension();
  });
  afterEach(async () => {
    await putBackSettings();
    await closeAllEditors();
  });
  const open = (name: string): Promise<vscode.TextEditor> =>
    openTaskWithScript(api, name, '#!/bin/bash\necho 1\n');
  const openShell = (): Thenable<unknown> => vscode.commands.executeCommand('repairBench.openShell');

  it('opens a shell with the solution in place and the tests hidden', async () => {
    await configure(DOCKER);
    const editor = await open('shell');
    const before = new Set(vscode.window.terminals);
    const no = await answeringMessages([], openShell);
    assert.equal(no.length, 1);
    const terminal = await until('the terminal is there', () =>
      vscode.window.terminals.find((each) => !before.has(each)),
    );
    assert.equal(terminal.name, 'shell');
    // What is typed ends the shell only where the solution is and no test is.
    terminal.sendText('test -f /app/solution.py && test ! -e /tests/test.sh && exit');
    await until('the shell has ended', () => !vscode.window.terminals.includes(terminal));
    assert.equal(editor.document.isDirty, false);
  });

  it('says that the sandbox has no terminal, and what to do', async () => {
    await configure(SANDBOX);
    await open('shell-sandbox');
    const said = await answeringMessages([], openShell);
    assertIncludes(
      said.join('\n'),
      'The sandbox has no terminal, so no shell can be opened in it. Start Docker',
    );
  });

  it('tries again in the sandbox by the one button, where no engine answers', async () => {
    await configure({
      runtime: 'docker',
      dockerEndpoint: 'unix:///nowhere/docker.sock',
      revealSpoilers: 'always',
    });
    await open('shell-no-engine');
    const said = await answeringMessages(['Use Sandbox'], async (soFar) => {
      await openShell();
      await until('it was tried again', () => soFar.length === 2);
    });
    assert.match(said[0] ?? '', /^No Docker engine answers\. Tried: \/nowhere\/docker\.sock\./);
    assertIncludes(said[1] ?? '', 'The sandbox has no terminal');
  });

  it('shows spoilers without a question to those who want none, and records them', async () => {
    await configure({ revealSpoilers: 'always' });
    await open('no-questions');
    assert.deepEqual(
      await answeringMessages([], () => vscode.commands.executeCommand('repairBench.showTestScript')),
      [],
    );
    const script = await inFront('the script is shown', ({ uri }) => uri.path.endsWith('/tests/test.sh'));
    assertIncludes(script.getText(), 'echo 1');
    const facts = await readFile(join(api.state()?.folder ?? '', 'workspace.json'), 'utf8');
    assert.match(facts, /"revealed": \{\s*"tests": "\d{4}-/);
  });
});
