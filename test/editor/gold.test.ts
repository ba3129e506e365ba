// Gold fixes: saved only of a solution with reward 1 that is as it was verified, asked before another one goes; checked.
import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readGoldFix } from '../../src/gold/goldFix.ts';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { answeringMessages, replaceWindowFunction } from './support/dialogs.ts';
import { closeAllEditors, replaceWholeText } from './support/editing.ts';
import { openTaskWithScript } from './support/openTask.ts';
import { configure, SANDBOX, withSettings } from './support/settings.ts';
import { until } from './support/until.ts';
import { untilLive } from './support/untilLive.ts';
import { verifyTask } from './support/verifyTask.ts';

const SCRIPT = `#!/bin/bash
if grep -q right /app/solution.py; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`;

describe('a gold fix', function () {
  this.timeout(180_000);
  let api: ShownExtension;
  before(async () => {
    api = await activateExtension();
  });
  withSettings(SANDBOX);
  afterEach(closeAllEditors);

  it('says why it cannot be, saves what was verified, and asks before it replaces another', async () => {
    const editor = await openTaskWithScript(api, 'gold', SCRIPT);
    const gold = join(api.state()?.folder ?? '', 'gold');
    const save = (...answers: readonly string[]): Promise<readonly string[]> =>
      answeringMessages(answers, async (said) => {
        await vscode.commands.executeCommand('repairBench.saveGoldFix');
        await until('it says how it went', () => said.length >= Math.max(1, answers.length));
      });
    const verified = async (text: string): Promise<void> => {
      await replaceWholeText(editor, text);
      await verifyTask();
      await untilLive('the verdict holds', api, 'verified');
    };

    assert.deepEqual(await save(), [
      'gold has not been verified yet. Only a solution with reward 1 is a gold fix.',
    ]);
    await verified('x = "wrong"\n');
    assert.deepEqual(await save(), [
      'The solution of gold has reward 0. Only a solution with reward 1 is a gold fix.',
    ]);
    await verified('x = "right"\n');
    await replaceWholeText(editor, 'x = "right, and more"\n');
    assert.deepEqual(await save(), [
      'The solution of gold was changed since it was verified. Only a solution with reward 1 is a gold fix.',
    ]);
    await assert.rejects(stat(gold), 'something was written');

    await verified('x = "right"\n');
    assert.deepEqual(await save(), ['Gold fix of gold saved: reward 1 again.']);
    const first = await readGoldFix(gold);
    assert.deepEqual([first.record.reward, first.record.startedBy], [1, 'person']);
    assert.equal(await readFile(join(gold, 'solution/files/app/solution.py'), 'utf8'), 'x = "right"\n');

    await verified('x = "right again"\n');
    assert.deepEqual(await save(), ['gold has a gold fix of another solution. Replace it?']);
    assert.equal((await readGoldFix(gold)).record.solution.hash, first.record.solution.hash);
    assert.deepEqual(await save('Replace', 'Show Patch'), [
      'gold has a gold fix of another solution. Replace it?',
      'Gold fix of gold saved: reward 1 again.',
    ]);
    await until('the patch is shown', () =>
      vscode.window.visibleTextEditors.some(
        ({ document }) => document.uri.fsPath === join(gold, 'gold.patch'),
      ),
    );
  });

  it('is marked in the Tasks view, and is checked from its files alone', async () => {
    const editor = await openTaskWithScript(api, 'checked', SCRIPT);
    const folder = join(api.state()?.folder ?? '', 'gold');
    const row = async (): Promise<string> =>
      (await api.tasksView()).split('\n').find((line) => line.trim().startsWith('checked ')) ?? '';
    const tell = async (command: string, ...answers: readonly string[]): Promise<string> => {
      const [first = ''] = await answeringMessages(answers, async (said) => {
        await vscode.commands.executeCommand(command);
        await until('it says how it went', () => said.length > 0);
      });
      return first;
    };
    const check = 'repairBench.checkGoldFix';
    assert.equal(
      await tell(check),
      'checked has no gold fix yet. Verify its solution, then save it as one when it has reward 1.',
    );
    await replaceWholeText(editor, 'x = "right"\n');
    await verifyTask();
    await tell('repairBench.saveGoldFix');
    await until('the row is marked', async () => /reward 1 · gold fix · #0$/.test(await row()));
    // What is in the editor does not count.
    await replaceWholeText(editor, 'x = "wrong"\n');
    assert.equal(
      await tell(check),
      'The gold fix of checked holds: nothing was edited, and the reward is 1 again.',
    );

    const cancelled = new vscode.CancellationTokenSource();
    const undo = replaceWindowFunction('withProgress', (_options: unknown, work: ProgressWork) =>
      work({ report: () => cancelled.cancel() }, cancelled.token),
    );
    try {
      assert.deepEqual(await answeringMessages([], () => vscode.commands.executeCommand(check)), []);
      assert.ok(cancelled.token.isCancellationRequested, 'it was under way');
    } finally {
      undo();
    }

    await writeFile(join(folder, 'solution/files/app/solution.py'), 'x = "right"\ny = 2\n');
    assert.match(
      await tell(check, 'Open solution/files/app/solution.py'),
      /^The gold fix of checked was changed since it was saved, or belongs to another task\. Nothing was run\. \S/,
    );
    await until('the file is shown', () =>
      vscode.window.visibleTextEditors.some(
        ({ document }) => document.uri.fsPath === join(folder, 'solution/files/app/solution.py'),
      ),
    );
    await rm(folder, { recursive: true });
    await until('the mark is gone', async () => !(await row()).includes('gold fix'));
  });

  it('is saved and checked in the sandbox by the one button, where no engine answers', async () => {
    const editor = await openTaskWithScript(api, 'gold-no-engine', SCRIPT);
    await replaceWholeText(editor, 'x = "right"\n');
    await verifyTask();
    for (const [command, then] of [
      ['repairBench.saveGoldFix', 'Gold fix of gold-no-engine saved: reward 1 again.'],
      [
        'repairBench.checkGoldFix',
        'The gold fix of gold-no-engine holds: nothing was edited, and the reward is 1 again.',
      ],
    ] as const) {
      await configure({ runtime: 'docker', dockerEndpoint: 'unix:///nowhere/docker.sock' });
      const said = await answeringMessages(['Use Sandbox'], async (soFar) => {
        await vscode.commands.executeCommand(command);
        await until('it says how it went', () => soFar.length === 2);
      });
      assert.match(said[0] ?? '', /^No Docker engine answers\. Tried: \/nowhere\/docker\.sock\./);
      assert.equal(said[1], then);
    }
  });
});

type ProgressWork = (
  progress: { readonly report: () => void },
  token: vscode.CancellationToken,
) => Promise<unknown>;
