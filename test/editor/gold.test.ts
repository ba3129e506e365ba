// Save as Gold Fix: only for a solution with reward 1 that is as it was verified, asked before another one goes.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/editor/extensionApi.ts';
import { readGoldFix } from '../../src/gold/goldFix.ts';
import {
  activated,
  answerMessages,
  closeAll,
  configure,
  openFirstRow,
  replaceAll,
  SANDBOX,
  taskFolder,
  taskWithScript,
  until,
} from './support.ts';

const SCRIPT = `#!/bin/bash
if grep -q right /app/solution.py; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`;

describe('save as gold fix', function () {
  this.timeout(180_000);
  let api: ExtensionApi;
  before(async () => {
    api = await activated();
    await configure(SANDBOX);
  });
  after(() => configure({ runtime: undefined }));
  afterEach(closeAll);

  it('says why it cannot be, saves what was verified, and asks before it replaces another', async () => {
    const editor = await openFirstRow(api, await taskFolder('gold', taskWithScript(SCRIPT)));
    const gold = join(api.state()?.folder ?? '', 'gold');
    const save = async (...answers: readonly string[]): Promise<string[]> => {
      const messages = answerMessages(...answers);
      try {
        await vscode.commands.executeCommand('repairBench.saveGoldFix');
        return await until('it says how it went', () =>
          messages.said.length >= Math.max(1, answers.length) ? messages.said : undefined,
        );
      } finally {
        messages.dispose();
      }
    };
    const verified = async (text: string): Promise<void> => {
      await replaceAll(editor, text);
      await vscode.commands.executeCommand('repairBench.verify');
      await until('the verdict holds', () => api.liveState() === 'verified');
    };

    assert.deepEqual(await save(), [
      'gold has not been verified yet. Only a solution with reward 1 is a gold fix.',
    ]);
    await verified('x = "wrong"\n');
    assert.deepEqual(await save(), [
      'The solution of gold has reward 0. Only a solution with reward 1 is a gold fix.',
    ]);
    await verified('x = "right"\n');
    await replaceAll(editor, 'x = "right, and more"\n');
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
});
