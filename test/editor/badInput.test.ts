// What happens to a task on disk while the editor runs: it is said clearly, nothing shown is a lie, and it can be mended.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { Verdict } from '../../src/verifier/verdict/verdict.ts';
import { listRuns } from '../host/listRuns.ts';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { answerMessages } from './support/dialogs.ts';
import { closeAllEditors } from './support/editing.ts';
import { openFirstRow, openTaskWithScript } from './support/openTask.ts';
import { problemsText } from './support/problems.ts';
import { SANDBOX, withSettings } from './support/settings.ts';
import { ROOT } from '../host/root.ts';
import { until } from './support/until.ts';
import { untilLive } from './support/untilLive.ts';

const SCRIPT = '#!/bin/bash\necho 0.5 > /logs/verifier/reward.txt\n';

describe('a task that goes wrong on disk', () => {
  let api: ShownExtension;
  before(async () => {
    api = await activateExtension();
  });
  withSettings(SANDBOX);
  afterEach(closeAllEditors);

  const folder = (): string => api.state()?.folder ?? '';
  const verify = async () => {
    const messages = answerMessages();
    try {
      const verdict = await vscode.commands.executeCommand<Verdict | undefined>('repairBench.verify');
      return { reward: verdict?.outcome === 'scored' ? verdict.reward : undefined, said: messages.said };
    } finally {
      messages.dispose();
    }
  };
  const rowMark = async (task: string): Promise<string> =>
    (await api.tasksView()).split('\n').find((line) => line.trim().startsWith(`${task} `)) ?? '';

  const places = {
    'a folder': {
      put: async (file: string) => mkdir(file),
      says: /^\S+solution\.py is a folder; the solution's \/app\/solution\.py belongs there\. Move the folder away and put the file back\.$/,
    },
    'a symbolic link': {
      put: async (file: string, aside: string) => symlink(aside, file),
      says: /^\S+solution\.py is a symbolic link[;,. ].*\.$/,
    },
  };
  for (const [name, { put, says }] of Object.entries(places))
    it(`whose solution was replaced by ${name} is not run, and is as before when it was put back`, async () => {
      const id = `replaced-by-${name.split(' ').at(-1) ?? ''}`;
      const editor = await openTaskWithScript(api, id, SCRIPT);
      const { uri } = editor.document;
      await vscode.commands.executeCommand('repairBench.history.focus');
      assert.deepEqual(await verify(), { reward: 0.5, said: [] });
      await until('the history shows the run', async () =>
        /^\[error\] Reward 0\.5/.test(await api.historyView()),
      );
      const shown = { problems: problemsText(uri), status: api.statusText(), mark: await rowMark(id) };
      assert.match(shown.mark, /reward 0\.5/);

      const aside = join(folder(), 'aside.py');
      await rename(uri.fsPath, aside);
      await put(uri.fsPath, aside);
      await untilLive('it cannot be read', api, 'unreadable');
      assert.match(api.statusText(), /solution cannot be read$/);
      const refused = await verify();
      assert.equal(refused.reward, undefined);
      assert.equal(refused.said.length, 1);
      assert.match(refused.said[0] ?? '', says);
      assert.equal((await listRuns({ folder: folder() })).runs.length, 1);
      assert.match(await api.historyView(), /^\[error\] Reward 0\.5/);
      assert.doesNotMatch(await rowMark(id), /reward/);

      await rm(uri.fsPath, { recursive: true });
      await rename(aside, uri.fsPath);
      await untilLive('the verdict holds again', api, 'verified');
      assert.equal(api.statusText(), shown.status);
      assert.equal(await rowMark(id), shown.mark);
      await until('its problems are back', () => problemsText(uri) === shown.problems);
      assert.deepEqual(await verify(), { reward: 0.5, said: [] });
    });

  it('whose dataset was moved goes on, and what needs the dataset says that it is not there', async () => {
    const root = await mkdtemp(join(tmpdir(), 'repair-bench-moved-'));
    const dataset = join(root, 'moving.parquet');
    await copyFile(join(ROOT, 'media/samples/tasks.parquet'), dataset);
    const editor = await openFirstRow(api, dataset);
    const starter = await readFile(editor.document.uri.fsPath);
    await rename(dataset, join(root, 'moved.parquet'));
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '# edited\n'));
    const { reward, said } = await verify();
    assert.equal(typeof reward, 'number');
    assert.deepEqual(said, []);
    await vscode.commands.executeCommand('repairBench.resetToStarter');
    assert.deepEqual(await readFile(editor.document.uri.fsPath), starter);

    const messages = answerMessages();
    try {
      await vscode.commands.executeCommand('repairBench.refreshDataset', dataset);
      await vscode.commands.executeCommand('repairBench.openTask', dataset, 1);
      assert.equal(messages.said.length, 1);
      assert.ok(messages.said[0]?.includes(dataset), messages.said[0]);
      const view = await api.tasksView();
      assert.ok(view.includes(dataset), view);
    } finally {
      messages.dispose();
      await vscode.commands.executeCommand('repairBench.removeDataset', dataset);
    }
  });

  it('whose run cannot be kept shows its verdict all the same, and says why', async () => {
    const editor = await openTaskWithScript(api, 'not-kept', SCRIPT);
    const runs = join(folder(), 'runs');
    await rm(runs, { recursive: true, force: true });
    await writeFile(runs, 'in the way');
    assert.deepEqual(await verify(), {
      reward: 0.5,
      said: [
        `The run of not-kept could not be kept in its history. The run cannot be saved: ${runs} is not a folder. Move it away; a new folder is made with the next run.`,
      ],
    });
    assert.equal(api.statusText(), '$(beaker) not-kept · reward 0.5');
    assert.match(problemsText(editor.document.uri), /Reward 0\.5\./);
    assert.equal(await readFile(runs, 'utf8'), 'in the way');
    await rm(runs);
    assert.deepEqual(await verify(), { reward: 0.5, said: [] });
    assert.equal((await listRuns({ folder: folder() })).runs.length, 1);
  });

  it('whose history is on a read-only file system shows its verdict all the same, and says why', async () => {
    await openTaskWithScript(api, 'read-only', SCRIPT);
    const runs = join(folder(), 'runs');
    await mkdir(runs, { recursive: true });
    const readOnly = await makeReadOnly(runs);
    try {
      const { reward, said } = await verify();
      assert.equal(reward, 0.5);
      assert.equal(said.length, 1);
      assert.match(
        said[0] ?? '',
        /^The run of read-only could not be kept in its history\. .*(EROFS|EACCES|read-only)/,
      );
      assert.equal(api.statusText(), '$(beaker) read-only · reward 0.5');
    } finally {
      await readOnly.end();
    }
    assert.deepEqual(await verify(), { reward: 0.5, said: [] });
  });
});

/** Root may write whatever a mode says, so for root it is a file system of its own. */
async function makeReadOnly(path: string): Promise<{ end(): Promise<unknown> }> {
  const run = promisify(execFile);
  if (process.getuid?.() !== 0) {
    await chmod(path, 0o555);
    return { end: () => chmod(path, 0o755) };
  }
  await run('mount', ['-t', 'tmpfs', '-o', 'ro,size=64k', 'none', path]);
  return { end: () => run('umount', [path]) };
}
