// What stands in the file itself: lenses, hovers, the way from failure to failure, and the first answer to a save.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { answeringMessages } from './support/dialogs.ts';
import { closeAllEditors, replaceText } from './support/editing.ts';
import { openFirstRow } from './support/openTask.ts';
import { configure, SANDBOX, withSettings } from './support/settings.ts';
import { until } from './support/until.ts';
import { untilLive } from './support/untilLive.ts';
import { verifyTask } from './support/verifyTask.ts';
import { taskWithScript, writeDataset } from './support/writeDataset.ts';

/** Fails where the solution raises, called from line 4 of the test. */
const SCRIPT = [
  '#!/bin/bash',
  'echo 0 > /logs/verifier/reward.txt',
  'export PYTHONPATH=/app',
  'if python3 -m pytest /tests/test_solution.py -p no:cacheprovider; then',
  '  echo 1 > /logs/verifier/reward.txt',
  'fi',
  '',
].join('\n');
const FILES = {
  ...taskWithScript(SCRIPT),
  'environment/solution.py': 'def answer():\n    raise ValueError("see https://example.com/x")\n',
  'tests/test_solution.py': 'import solution\n\ndef test_answer():\n    assert solution.answer() == 42\n',
};

async function lensesOf(uri: vscode.Uri): Promise<readonly string[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    uri,
  );
  return lenses.map(({ command, range }) => `${range.start.line + 1}: ${command?.title ?? ''}`);
}

describe('in the file of a solution', () => {
  let api: ShownExtension;
  let editor: vscode.TextEditor;
  const where = (): string => {
    const active = vscode.window.activeTextEditor;
    const name = active?.document.uri.path.split('/').at(-1) ?? '';
    return active ? `${active.document.uri.scheme}:${name}:${active.selection.active.line + 1}` : '';
  };

  withSettings(SANDBOX);
  before(async () => {
    api = await activateExtension();
    editor = await openFirstRow(api, await writeDataset('in-file', FILES));
  });
  after(closeAllEditors);

  it('lenses offer Verify, Compare and Reset above the first line, unless a setting turns them off', async () => {
    const { uri } = editor.document;
    const all = ['1: $(beaker) Verify', '1: Compare with starter', '1: Reset'];
    assert.deepEqual(await lensesOf(uri), all);
    await configure({ codeLens: false });
    assert.deepEqual(await lensesOf(uri), []);
    await configure({ codeLens: undefined });
    assert.deepEqual(await lensesOf(uri), all);
  });

  it('there is no failure to go to before a run, and that is said', async () => {
    const said = await answeringMessages([], () => vscode.commands.executeCommand('repairBench.nextFailure'));
    assert.deepEqual(said, ['in-file has not been verified yet.']);
  });

  it('a hover on the failing line has the evidence of the gate, and no link', async () => {
    await verifyTask();
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      editor.document.uri,
      new vscode.Position(1, 6),
    );
    const ours = hovers
      .flatMap(({ contents }) => contents)
      .filter((content) => content instanceof vscode.MarkdownString)
      .find(({ value }) => value.includes('test.sh'));
    assert.ok(ours, JSON.stringify(hovers));
    assert.notEqual(ours.isTrusted, true);
    assert.notEqual(ours.supportHtml, true);
    const [heading = '', block = ''] = ours.value.split('```text');
    assert.match(heading.replaceAll(/&nbsp;|\\/g, ' '), /^A.test.failed.here.\(?.*line.4.of.test/);
    assertIncludes(block, 'test_solution.py passes · test_solution.test_answer');
    assertIncludes(block, 'ValueError: see https://example.com/x');
    assert.doesNotMatch(heading, /https/);
  });

  it('Go to Next Failure leads from the solution to the test, asks before it shows it, and goes round', async () => {
    await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    await vscode.commands.executeCommand('repairBench.nextFailure');
    await until('the solution is at its failure', () => where() === 'file:solution.py:2');
    const asked = await answeringMessages(['Show Tests'], async () => {
      await vscode.commands.executeCommand('repairBench.nextFailure');
      await until('the test is at its assertion', () => where() === 'repair-bench:test_solution.py:4');
    });
    assert.equal(asked.length, 1);
    await vscode.commands.executeCommand('repairBench.nextFailure');
    await until('it goes round', () => where() === 'file:solution.py:2');
    await vscode.commands.executeCommand('repairBench.previousFailure');
    await until('it goes back', () => where() === 'repair-bench:test_solution.py:4');
  });

  it('saving starts a run, and saving the starter again answers at once without one', async () => {
    editor = await vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One);
    const folder = join(api.state()?.folder ?? '', 'runs');
    const runs = async (): Promise<number> => (await readdir(folder)).length;
    const runsOf = (task: string): number =>
      api.testRuns().filter((text) => text.split('\n', 1)[0] === task).length;
    await configure({ verifyOnSave: true });
    try {
      await replaceText(editor, 'raise', '# edited\n    raise');
      await editor.document.save();
      await untilLive('it was verified', api, 'verified');
      const before = { runs: await runs(), ofTask: runsOf('in-file') };
      // Whoever starts a run now hears that it could not run.
      await configure({ runtime: 'docker', dockerEndpoint: 'unix:///nowhere/docker.sock' });
      await replaceText(editor, '# edited\n    raise', 'raise');
      await editor.document.save();
      await until('the first answer is there', () => api.statusText() === '$(beaker) in-file · unchanged');
      assertIncludes(
        await api.runView(),
        "[dash] Unchanged from the starter: the verifier would give the starter's result.",
      );
      // A save of another task, later than ours, has its run: ours had its turn.
      await answeringMessages([], async (said) => {
        const other = await openFirstRow(api, await writeDataset('in-other-file', FILES));
        await replaceText(other, 'raise', '# edited\n    raise');
        await other.document.save();
        await until('the other run could not run', () => said.length > 0);
      });
      await until('it is a test run', () => runsOf('in-other-file') === 1);
      assert.equal(runsOf('in-file'), before.ofTask);
      assert.equal(await runs(), before.runs);
    } finally {
      await configure({ ...SANDBOX, verifyOnSave: undefined, dockerEndpoint: undefined });
    }
  });
});
