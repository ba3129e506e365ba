// "Check My Set-up", on the real machine, through the real quick pick.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SetupChoice } from '../../src/editor/setup/setupChoices.ts';
import { activateExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { replaceWindowFunction } from './support/dialogs.ts';
import { configure, putBackSettings, SANDBOX } from './support/settings.ts';
import { until } from './support/until.ts';

type Item = SetupChoice;

/** Runs the command and gives the list that it opens. */
async function openCheck(): Promise<{ pick: vscode.QuickPick<Item>; done: Thenable<unknown> }> {
  const original = vscode.window.createQuickPick.bind(vscode.window);
  let made: vscode.QuickPick<Item> | undefined;
  const undo = replaceWindowFunction('createQuickPick', () => (made = original<Item>()));
  const done = vscode.commands.executeCommand('repairBench.checkSetup');
  const pick = await until('the check is open', () => made).finally(undo);
  return { pick, done };
}

/** Gives the list that a person sees once it is filled. */
async function filledCheck(): Promise<Awaited<ReturnType<typeof openCheck>> & { text: string }> {
  const { pick, done } = await openCheck();
  await until('the check is over', () => !pick.busy && pick.items.length > 1);
  const text = pick.items
    .map(({ label, description = '', detail = '' }) => `${label} [${description}] ${detail}`)
    .join('\n');
  return { pick, done, text };
}

/** Chooses an entry as Enter does. The choice of the active entry reaches the list a moment later; Enter on others does nothing. */
async function accept(pick: vscode.QuickPick<Item>, item: Item): Promise<void> {
  let closed = false;
  pick.onDidHide(() => {
    closed = true;
  });
  await until('the entry is chosen', async () => {
    pick.activeItems = [item];
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return closed;
  });
}

describe('checking the set-up', function () {
  this.timeout(120_000);
  const nowhere = { dockerEndpoint: 'unix:///nonexistent/docker.sock' };

  before(activateExtension);
  afterEach(async () => {
    await putBackSettings();
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });

  it('tells the state of each part in words, and nothing to do where a sandbox was chosen', async () => {
    await configure({ ...SANDBOX, ...nowhere });
    const { pick, done, text } = await filledCheck();
    assert.equal(pick.placeholder, 'Everything is in order.', text);
    assertIncludes(text, '$(circle-slash) Engine [not needed]');
    assertIncludes(text, '$(pass) Sandbox [fine] bubblewrap');
    assertIncludes(text, '$(pass) Program [fine] VS Code ');
    pick.hide();
    await done;
  });

  it('types the command line that mends it, and leaves the start to the person', async () => {
    await configure(nowhere);
    const { pick, done, text } = await filledCheck();
    assertIncludes(
      text,
      '$(warning) Engine [needs attention] No Docker engine answers. Tried: /nonexistent/docker.sock.',
    );
    const fix = pick.items.find((item) => item.remedy?.kind === 'command');
    assert.ok(fix, text);
    await accept(pick, fix);
    await done;
    await until('a terminal is there', () =>
      vscode.window.terminals.some(({ name }) => name === 'Repair Bench Set-up'),
    );
  });

  it('switches to the sandbox when that is chosen', async () => {
    await configure(nowhere);
    const { pick, done, text } = await filledCheck();
    const fix = pick.items.find((item) => item.remedy?.kind === 'setting' && item.remedy.value === 'sandbox');
    assert.ok(fix, text);
    await accept(pick, fix);
    await done;
    assert.equal(vscode.workspace.getConfiguration('repairBench').get('runtime'), 'sandbox');
  });

  it('stops when the list is closed before it is over', async () => {
    const { pick, done } = await openCheck();
    pick.hide();
    await done;
    assert.deepEqual(pick.items, []);
  });
});
