// The History view inside VS Code: runs of this window and of another, comparing, and going back byte for byte.
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { loadWorkspace } from '../../src/workspace/taskWorkspace.ts';
import { lastRun, saveRun } from '../../src/workspace/runs/runs.ts';
import { solutionHash } from '../../src/verifier/plan/solution.ts';
import { readSolution } from '../../src/workspace/readSolution.ts';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { answeringMessages, replaceWindowFunction } from './support/dialogs.ts';
import { closeAllEditors, inFront, replaceText, undoIn } from './support/editing.ts';
import { openFirstRow } from './support/openTask.ts';
import { SANDBOX, withSettings } from './support/settings.ts';
import { until } from './support/until.ts';
import { verifyTask } from './support/verifyTask.ts';
import { taskWithScript, writeDataset } from './support/writeDataset.ts';

const SCRIPT =
  '#!/bin/bash\ngrep -q slow /app/solution.py && sleep 4719\ngrep -q fixed /app/solution.py && r=1 || r=0\necho "said $r"\necho $r > /logs/verifier/reward.txt\n';
/** Latin-1 and CRLF: what no editor gives back by itself. */
const STARTER = Buffer.from('# caf\xe9\r\nx = 1\r\n', 'latin1');

describe('the history', () => {
  let api: ShownExtension;
  before(async () => {
    api = await activateExtension();
  });
  withSettings(SANDBOX);
  afterEach(closeAllEditors);

  const openTask = async (name: string): Promise<vscode.TextEditor> => {
    const files = { ...taskWithScript(SCRIPT), 'environment/solution.py': STARTER };
    const editor = await openFirstRow(api, await writeDataset(name, files));
    await vscode.commands.executeCommand('repairBench.history.focus');
    return editor;
  };
  const rewards = async (): Promise<readonly string[]> =>
    (await api.historyView()).split('\n').filter((line) => line.startsWith('['));
  const verify = async (runs: number): Promise<void> => {
    assert.equal((await verifyTask()).outcome, 'scored');
    await until(`the history has ${runs} runs`, async () => (await rewards()).length === runs);
  };
  /** Answers the next quick pick with the item at `index`. */
  const pick = (index: number): { dispose(): void } => {
    return {
      dispose: replaceWindowFunction('showQuickPick', async (items: readonly unknown[]) => items[index]),
    };
  };

  it('lists runs, compares them, and goes back to any, byte for byte and undoable', async () => {
    const editor = await openTask('history-back');
    const { document } = editor;
    const file = document.uri.fsPath;
    const added = join(dirname(file), 'added.bin');
    await writeFile(added, Buffer.from([0, 0xff, 0x0d]));
    await replaceText(editor, 'x = 1', 'x = 2');
    await document.save();
    const first = await readFile(file);
    await verify(1);

    await replaceText(editor, 'x = 2', 'x = 2  # fixed\n# more');
    await rm(added);
    await verify(2);
    const second = await readFile(file);
    const shown = await api.historyView();
    assert.match(shown, /^\[pass\] Reward 1/);
    assertIncludes(shown, '\n  [file] added.bin (deleted)');
    assertIncludes(shown, '\n  [file] solution.py (changed · +2 −1)');
    assert.match((await rewards())[1] ?? '', /^\[error\] Reward 0/);

    const older = pick(1);
    try {
      await vscode.commands.executeCommand('repairBench.restoreRun');
    } finally {
      older.dispose();
    }
    assert.deepEqual(await readFile(file), first);
    assert.deepEqual([...(await readFile(added))], [0, 0xff, 0x0d]);
    assert.equal(document.isDirty, false);

    await undoIn(document);
    await until('the later work is back', () => document.getText().includes('# fixed'));
    await document.save();
    assert.deepEqual(await readFile(file), second);
  });

  it('compares the solution of a run with the one before and with now', async () => {
    const editor = await openTask('history-compare');
    await replaceText(editor, 'x = 1', 'x = 3');
    await verify(1);
    const only = pick(0);
    try {
      await vscode.commands.executeCommand('repairBench.compareRunWithBefore');
      const { original, modified } = await difference(/^solution\.py: Starter ↔ run of /);
      assertIncludes(await textOf(original), 'café');
      assertIncludes(await textOf(original), 'x = 1');
      assertIncludes(await textOf(modified), 'x = 3');
      assertIncludes(await textOf(modified), 'café');

      const same = await answeringMessages([], () =>
        vscode.commands.executeCommand('repairBench.compareRunWithNow'),
      );
      assert.deepEqual(same, ['The two solutions are the same.']);

      await vscode.commands.executeCommand('repairBench.openSolution');
      const again = await until('the solution is in front', () => {
        const active = vscode.window.activeTextEditor;
        return active?.document === editor.document ? active : undefined;
      });
      await replaceText(again, 'x = 3', 'x = 4');
      await vscode.commands.executeCommand('repairBench.compareRunWithNow');
      const now = await difference(/^solution\.py: run of .* ↔ now$/);
      assert.equal(now.modified.toString(), editor.document.uri.toString());
      assertIncludes(await textOf(now.original), 'x = 3');

      await vscode.commands.executeCommand('repairBench.showRunOutput');
      const log = await inFront('the run is open', isOutput);
      assertIncludes(log.getText(), '\nReward 0');
      assertIncludes(log.getText(), '\nsaid 0');
    } finally {
      only.dispose();
    }
  });

  it('shows a run that another window or the command line has saved', async () => {
    await openTask('history-other');
    await verify(1);
    const folder = api.state()?.folder ?? '';
    const workspace = await loadWorkspace(folder);
    assert.ok(!(workspace instanceof Error));
    const ours = await lastRun(workspace);
    assert.ok(ours?.record.verdict.outcome === 'scored');
    const { record } = ours;
    const verdict = ours.record.verdict;
    const solution = await readSolution(workspace);
    const holdsFor = { ...verdict.holdsFor, solution: solutionHash(solution) };
    const now = new Date();
    const saveElsewhere = async (reward: number): Promise<void> => {
      const run = { ...record, verdict: { ...verdict, reward, holdsFor }, startedBy: 'agent' } as const;
      await saveRun(workspace, run, solution, now);
    };
    await saveElsewhere(0.25);
    await until('the history shows it', async () => (await rewards()).length === 2);
    assert.match((await rewards())[0] ?? '', /^\[error\] Reward 0\.25 .*by an agent\)$/);
    await until('the Run view shows it', async () => (await api.runView()).includes('Reward 0.25'));

    // Saved in the same second; each has a document of its own.
    await saveElsewhere(0.75);
    await until('the history shows it', async () => (await rewards()).length === 3);
    const shown: vscode.TextDocument[] = [];
    for (const index of [0, 1]) {
      const chosen = pick(index);
      await vscode.commands.executeCommand('repairBench.showRunOutput');
      chosen.dispose();
      shown.push(
        await inFront('another run is open', (active) => isOutput(active) && !shown.includes(active)),
      );
    }
    assert.notEqual(shown[0]?.uri.toString(), shown[1]?.uri.toString());
    assertIncludes(shown[1]?.getText() ?? '', 'Reward 0.25');
  });

  it('shows a run of another window that was saved during a run that was cancelled', async () => {
    const editor = await openTask('history-meanwhile');
    await verify(1);
    const workspace = await loadWorkspace(api.state()?.folder ?? '');
    assert.ok(!(workspace instanceof Error));
    const ours = await lastRun(workspace);
    assert.ok(ours?.record.verdict.outcome === 'scored');
    const record = { ...ours.record, verdict: { ...ours.record.verdict, reward: 0.5 } };
    await replaceText(editor, 'x = 1', 'x = 1  # slow');
    const running = vscode.commands.executeCommand('repairBench.verify');
    await until('test.sh runs', () => api.statusText().endsWith('running test.sh'));
    await saveRun(workspace, record, await readSolution(workspace), new Date());
    await until('the history shows it', async () => (await rewards()).length === 2);
    await vscode.commands.executeCommand('repairBench.cancelRun');
    assert.equal(await running, undefined);
    await until('the Run view shows it', async () => (await api.runView()).includes('Reward 0.5'));
  });

  it('says that one cannot go back to a run whose solution was not kept', async () => {
    await openTask('history-lost');
    await verify(1);
    await rm(join(api.state()?.folder ?? '', 'runs/solutions'), { recursive: true });
    const only = pick(0);
    const said = await answeringMessages([], () =>
      vscode.commands.executeCommand('repairBench.restoreRun'),
    ).finally(only.dispose);
    assert.deepEqual(said, [
      'The solution of this run was not kept, so you cannot compare it or go back to it.',
    ]);
  });
});

function isOutput({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'repair-bench-output';
}

async function difference(label: RegExp): Promise<vscode.TabInputTextDiff> {
  return until(`a comparison ${String(label)} is open`, () => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab?.input instanceof vscode.TabInputTextDiff && label.test(tab.label) ? tab.input : undefined;
  });
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}
