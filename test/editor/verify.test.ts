// The main job inside VS Code: open a task, edit, verify, and see why the reward is what it is.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { closeAllEditors, inFront, replaceText, replaceWholeText, undoIn } from './support/editing.ts';
import { openFixture } from './support/openTask.ts';
import { problemsText, untilProblems } from './support/problems.ts';
import { configure, DOCKER, freshWorkspaces, SANDBOX, withSettings } from './support/settings.ts';
import { FIXTURES } from './support/sources.ts';
import { until } from './support/until.ts';
import { untilLive } from './support/untilLive.ts';
import { verifyTask } from './support/verifyTask.ts';

const TASK = 'bugsinpy-0001';

describe('a task in the editor', () => {
  let api: ShownExtension;
  let editor: vscode.TextEditor;
  let workspaces: Awaited<ReturnType<typeof freshWorkspaces>>;

  withSettings(SANDBOX);
  before(async () => {
    api = await activateExtension();
    workspaces = await freshWorkspaces();
    editor = await openFixture(api, TASK);
  });
  after(async () => {
    await closeAllEditors();
    await workspaces.end();
  });

  it('is unchanged when it was just opened, with its solution in the editor and the instruction beside it', async () => {
    assert.equal(api.liveState(), 'unchanged');
    assert.equal(api.statusText(), `$(beaker) ${TASK} · unchanged`);
    await inFront('the solution is in front', (active) => active === editor.document);
    const panel = await until('the instruction is shown', () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .find(({ input }) => input instanceof vscode.TabInputWebview),
    );
    assert.equal(panel.label, TASK);
    assert.notEqual(panel.group.viewColumn, editor.viewColumn);
  });

  it('says gate by gate why the starter gets no reward', async () => {
    await verifyTask();
    assert.equal(api.liveState(), 'verified');
    assert.equal(api.statusText(), `$(beaker) ${TASK} · reward 0 · 1/5 gates`);
    assert.equal(
      problemsText(editor.document.uri),
      `Information 1:1 [Repair Bench reward] Reward 0: 1 of 5 gates passed. Decided by "solution.py was edited" (test.sh:25).
  repair-bench:tests/test.sh:9 The reward is written here
Information 1:1 [Repair Bench exists@20] Gate "solution.py exists" passed.
  repair-bench:tests/test.sh:20 The gate in test.sh
Error 1:1 [Repair Bench edited@25] Gate "solution.py was edited" failed. solution.py is the same as the starter: nothing was edited. It decided the reward.
  repair-bench:tests/test.sh:25 The gate in test.sh
Information 1:1 [Repair Bench compiles@30] Gate "solution.py compiles" was not reached.
  repair-bench:tests/test.sh:30 The gate in test.sh
Information 1:1 [Repair Bench imports@35] Gate "solution.py imports" was not reached.
  repair-bench:tests/test.sh:35 The gate in test.sh
Information 1:1 [Repair Bench tests@40] Gate "test_solution.py passes" was not reached.
  repair-bench:tests/test.sh:40 The gate in test.sh`,
    );
    const runView = await api.runView();
    assert.ok(runView.split('\n')[1]?.startsWith('[error] Reward 0 (1 of 5 gates passed)'), runView);
    assertIncludes(await api.tasksView(), `${TASK} reward 0 · #0`);
  });

  it('is outdated the moment it is edited, saved or not, and current again when the edit is undone', async () => {
    await replaceText(editor, 'MAX_RANGES = 16', 'MAX_RANGES = 17');
    await untilLive('the verdict is outdated', api, 'outdated');
    assert.equal(api.statusText(), `$(history) ${TASK} · reward 0 · 1/5 gates · outdated`);
    await untilProblems('none is an error', editor.document.uri, (text) => !text.includes('Error '));
    assertIncludes(problemsText(editor.document.uri), 'Outdated: Gate "solution.py was edited" failed.');
    assertIncludes(await api.runView(), '[history] Reward 0 (outdated: the solution has changed)');
    assertIncludes(await api.tasksView(), `${TASK} edited · #0`);
    await undoIn(editor.document);
    await untilLive('the verdict holds again', api, 'verified');
    await untilProblems('the error is back', editor.document.uri, (text) => text.includes('Error 1:1'));
  });

  it('points at the line of a syntax error, and forgets it when the line moves', async () => {
    await replaceText(editor, 'MAX_RANGES = 16', 'MAX_RANGES = = 16');
    const line = editor.document.getText().split('\n').indexOf('MAX_RANGES = = 16') + 1;
    await verifyTask();
    await untilProblems('the error is at its line', editor.document.uri, (text) =>
      new RegExp(`Error ${line}:\\d+ \\[Repair Bench compiles@30\\]`).test(text),
    );
    assert.equal(editor.document.isDirty, false, 'Verify saves first');
    // Outdated by the first edit, the entry stays as long as its line does, and goes with the second.
    await replaceText(editor, 'MAX_RANGES = = 16\n', 'MAX_RANGES = = 16\n# a line below\n');
    await untilProblems('the entry is outdated', editor.document.uri, (text) =>
      new RegExp(`Information ${line}:\\d+ \\[Repair Bench compiles@30\\] Outdated: `).test(text),
    );
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '# a line above\n'));
    await untilProblems('the squiggle is gone', editor.document.uri, (text) => !text.includes('compiles@30'));
    await replaceWholeText(editor, await readFile(join(FIXTURES, TASK, 'environment/solution.py'), 'utf8'));
  });

  it('shows failing tests under their gate, with the assertion as related information', async () => {
    const wrong = await readFile(join(FIXTURES, '../solutions', TASK, 'wrong-edit/app/solution.py'), 'utf8');
    await replaceWholeText(editor, wrong);
    await verifyTask();
    assert.match(
      await api.runView(),
      /\[error\] test_solution.py passes \(failed · decided · line 40\)\n {2}\[(pass|error)\]/,
    );
    assert.match(problemsText(editor.document.uri), /Error \d+:\d+ \[Repair Bench case\] Test .* failed: /);
    assert.match(problemsText(editor.document.uri), /repair-bench:tests\/test_solution.py:\d+ The assertion/);
  });

  for (const [name, settings] of Object.entries({ sandbox: SANDBOX, docker: DOCKER }))
    it(`has reward 1 for the gold in ${name}, and nothing but information in Problems`, async () => {
      await configure(settings);
      await replaceWholeText(editor, await readFile(join(FIXTURES, TASK, 'solution/solution.py'), 'utf8'));
      await verifyTask();
      assert.equal(api.statusText(), `$(beaker) ${TASK} · reward 1 · 5/5 gates`);
      assert.doesNotMatch(problemsText(editor.document.uri), /^Error/m);
      assert.equal(api.state()?.run?.verdict.outcome, 'scored');
      assertIncludes(await api.tasksView(), `${TASK} reward 1 · #0`);
    });

  it('keeps its verdict for the next window, in the workspace', async () => {
    const { listRuns } = await import('../host/listRuns.ts');
    const folder = api.state()?.folder ?? '';
    const { runs, damaged } = await listRuns({ folder });
    assert.deepEqual(damaged, []);
    assert.ok(runs.length >= 4);
    assert.equal(runs[0]?.record.startedBy, 'person');
  });

  it('stays the current task when the focus goes elsewhere', async () => {
    const other = await vscode.workspace.openTextDocument(join(FIXTURES, '../README.md'));
    await vscode.window.showTextDocument(other);
    await inFront('another file is in front', (active) => active === other);
    await vscode.commands.executeCommand('workbench.action.output.toggleOutput');
    assertIncludes(api.statusText(), TASK);
  });
});
