// Reset to the starter: through the editor, undoable, and byte for byte, whatever the encoding and the line endings.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { closeAllEditors, replaceText, undoIn } from './support/editing.ts';
import { openFirstRow, openFixture } from './support/openTask.ts';
import { FIXTURES } from './support/sources.ts';
import { until } from './support/until.ts';
import { untilLive } from './support/untilLive.ts';
import { taskWithScript, writeDataset } from './support/writeDataset.ts';

describe('reset to starter', () => {
  let api: ShownExtension;
  before(async () => {
    api = await activateExtension();
  });
  afterEach(closeAllEditors);

  const tasks = [
    { task: 'bugsinpy-0014', starter: 'environment/solution.py', encoding: 'utf8' },
    { task: 'manybugs-0007', starter: 'tests/initial/rl_strip.c', encoding: 'iso88591' },
    { task: 'manybugs-v1-0011', starter: 'tests/initial/cfg_scan.c', encoding: 'iso88591' },
  ];
  for (const { task, starter, encoding } of tasks)
    it(`brings back every byte of ${task}, and undo brings back the work`, async () => {
      const shipped = await readFile(join(FIXTURES, task, starter));
      const editor = await openFixture(api, task);
      const { document } = editor;
      assert.equal(document.encoding, encoding);
      assert.deepEqual(await readFile(document.uri.fsPath), shipped);

      const [first] = document.getText().split(/\r?\n/);
      await replaceText(editor, first ?? '', `${first ?? ''} mine`);
      await document.save();
      const mine = await readFile(document.uri.fsPath);
      assert.equal(mine.length, shipped.length + ' mine'.length, 'saving changed only what was typed');
      await untilLive('it is changed', api, 'changed');

      await vscode.commands.executeCommand('repairBench.resetToStarter');
      assert.deepEqual(await readFile(document.uri.fsPath), shipped);
      assert.equal(api.liveState(), 'unchanged');
      assert.equal(document.isDirty, false);

      await undoIn(document);
      await until('the work is back', () => document.getText().includes(' mine'));
      await document.save();
      assert.deepEqual(await readFile(document.uri.fsPath), mine);
    });

  it('puts back line endings that were changed', async () => {
    const editor = await openFixture(api, 'manybugs-0007');
    const shipped = await readFile(join(FIXTURES, 'manybugs-0007/tests/initial/rl_strip.c'));
    await editor.edit((builder) => builder.setEndOfLine(vscode.EndOfLine.LF));
    await editor.document.save();
    await untilLive('it is changed', api, 'changed');
    await vscode.commands.executeCommand('repairBench.resetToStarter');
    assert.deepEqual(await readFile(editor.document.uri.fsPath), shipped);
  });

  it('puts back mixed line endings, which no editor can hold', async () => {
    const mixed = Buffer.from('a = 1\r\nb = 2\nc = 3\r\n');
    const editor = await openFirstRow(
      api,
      await writeDataset('mixed', { ...taskWithScript('#!/bin/bash\n'), 'environment/solution.py': mixed }),
    );
    await replaceText(editor, 'b = 2', 'b = 3');
    await editor.document.save();
    await vscode.commands.executeCommand('repairBench.resetToStarter');
    assert.deepEqual(await readFile(editor.document.uri.fsPath), mixed);
    await untilLive('it is unchanged', api, 'unchanged');
  });

  it('brings back a file that was deleted, and takes away one that was added', async () => {
    const editor = await openFixture(api, 'bugsinpy-0039');
    const file = editor.document.uri;
    const shipped = await readFile(file.fsPath);
    const added = join(dirname(file.fsPath), 'added.py');
    await closeAllEditors();
    await rm(file.fsPath);
    // A watcher takes a moment to see what goes on in a new folder.
    await until('it is changed', async () => {
      await writeFile(added, 'y = 2\n');
      return api.liveState() === 'changed';
    });
    await vscode.commands.executeCommand('repairBench.resetToStarter');
    assert.deepEqual(await readFile(file.fsPath), shipped);
    await assert.rejects(readFile(added));
    await untilLive('it is unchanged', api, 'unchanged');
  });

  it('keeps a Latin-1 file whole when it was opened from the Explorer', async () => {
    const editor = await openFixture(api, 'manybugs-0007');
    // A copy that no command of ours has touched.
    const folder = await mkdtemp(join(tmpdir(), 'repair-bench-copy-'));
    const original = api.state()?.folder ?? '';
    await cp(original, folder, { recursive: true });
    const file = vscode.Uri.file(join(folder, relative(original, editor.document.uri.fsPath)));
    await vscode.commands.executeCommand('vscode.open', file);
    await until('it is open in its own encoding', () =>
      vscode.workspace.textDocuments.some(
        (document) =>
          document.uri.toString() === file.toString() &&
          document.encoding === 'iso88591' &&
          !document.getText().includes('\uFFFD'),
      ),
    );
  });
});

describe('compare with starter', () => {
  it('shows the starter on the left, in the right characters', async () => {
    const api = await activateExtension();
    await openFixture(api, 'manybugs-0007');
    await vscode.commands.executeCommand('repairBench.compareWithStarter');
    const tab = await until('the comparison is open', () => {
      const active = vscode.window.tabGroups.activeTabGroup.activeTab;
      return active?.input instanceof vscode.TabInputTextDiff ? active : undefined;
    });
    assert.equal(tab.label, 'rl_strip.c: Starter ↔ Solution');
    const documents = await until('both sides are loaded', () => {
      const { input } = tab;
      if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
      const sides = [input.original, input.modified].map((uri) =>
        vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString()),
      );
      const [left, right] = sides;
      return left && right ? [left, right] : undefined;
    });
    const [left, right] = documents.map((document) => document?.getText() ?? '');
    assert.ok(
      left === right,
      `${left?.length} ${right?.length} ${JSON.stringify(left?.slice(0, 300))} ${JSON.stringify(right?.slice(0, 300))}`,
    );
    await closeAllEditors();
  });
});
