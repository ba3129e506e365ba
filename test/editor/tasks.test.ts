// Datasets in the Tasks view, and the task as shipped under repair-bench: addresses.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import * as vscode from 'vscode';
import { activateExtension, type ShownExtension } from './support/activateExtension.ts';
import { assertIncludes } from './support/assertIncludes.ts';
import { answerMessages } from './support/dialogs.ts';
import { closeAllEditors, inFront } from './support/editing.ts';
import { openFixture } from './support/openTask.ts';
import { FIXTURES } from './support/sources.ts';
import { until } from './support/until.ts';

describe('the Tasks view', () => {
  let api: ShownExtension;
  let folder: string;
  before(async () => {
    api = await activateExtension();
    folder = await mkdtemp(join(tmpdir(), 'repair-bench-tasks-'));
  });
  after(closeAllEditors);

  it('shows a page of a large dataset, and the next one when asked', async function () {
    this.timeout(120_000);
    const big = join(folder, 'big.parquet');
    const rows = 100_000;
    const path = Array.from({ length: rows }, (_, row) => `set/task-${row % 50_000}.tar.gz`);
    const nothing = new Uint8Array([0]);
    await writeFile(
      big,
      Buffer.from(
        parquetWriteBuffer({
          columnData: [
            { name: 'path', data: path, type: 'STRING' },
            { name: 'task_binary', data: path.map(() => nothing), type: 'BYTE_ARRAY' },
          ],
        }),
      ),
    );
    await vscode.commands.executeCommand('repairBench.openAsDataset', vscode.Uri.file(big));
    const view = await until('it is listed', async () => rowsOf(await api.tasksView(), 'big.parquet'));
    assert.equal(view.length, 202);
    assert.match(view[0] ?? '', /^big.parquet 100.?000 tasks$/);
    assert.match(view.at(-1) ?? '', /Show next 200 of 99.?800…/);
    await vscode.commands.executeCommand('repairBench.showMoreTasks', big);
    assert.equal(rowsOf(await api.tasksView(), 'big.parquet')?.length, 402);
    await vscode.commands.executeCommand('repairBench.removeDataset', big);
    assert.equal(rowsOf(await api.tasksView(), 'big.parquet'), undefined);
  });

  it('counts one task as one', async () => {
    const one = join(folder, 'one.parquet');
    const columnData = [
      { name: 'path', data: ['task'] },
      { name: 'task_binary', data: [new Uint8Array([0])] },
    ];
    await writeFile(one, Buffer.from(parquetWriteBuffer({ columnData })));
    await vscode.commands.executeCommand('repairBench.openAsDataset', vscode.Uri.file(one));
    const [shown] = await until('it is listed', async () => rowsOf(await api.tasksView(), 'one.parquet'));
    assert.equal(shown, 'one.parquet 1 task');
    await vscode.commands.executeCommand('repairBench.removeDataset', one);
  });

  it('says once what is wrong with a file that is no dataset, and does not keep it', async () => {
    const broken = join(folder, 'broken.parquet');
    await writeFile(broken, 'this is not Parquet');
    const messages = answerMessages();
    try {
      await vscode.commands.executeCommand('repairBench.openAsDataset', vscode.Uri.file(broken));
      assert.equal(messages.said.length, 1);
      assertIncludes(messages.said[0] ?? '', 'broken.parquet');
    } finally {
      messages.dispose();
    }
    assert.equal(rowsOf(await api.tasksView(), 'broken.parquet'), undefined);
  });

  it('says what is wrong with one row, and opens the others', async () => {
    const mixed = join(folder, 'mixed.parquet');
    const good = await goodArchive();
    await writeFile(
      mixed,
      Buffer.from(
        parquetWriteBuffer({
          columnData: [
            { name: 'path', data: ['bad', 'good'], type: 'STRING' },
            { name: 'task_binary', data: [new Uint8Array([1, 2, 3, 4]), good], type: 'BYTE_ARRAY' },
          ],
        }),
      ),
    );
    const messages = answerMessages();
    try {
      await vscode.commands.executeCommand('repairBench.openAsDataset', vscode.Uri.file(mixed));
      await vscode.commands.executeCommand('repairBench.openTask', mixed, 0);
      assert.equal(messages.said.length, 1, messages.said.join('\n'));
      await vscode.commands.executeCommand('repairBench.openTask', mixed, 1);
      assert.equal(messages.said.length, 1, messages.said.join('\n'));
      assert.equal(api.state()?.taskId, 'good');
    } finally {
      messages.dispose();
    }
  });
});

describe('the task as shipped', () => {
  let api: ShownExtension;
  before(async () => {
    api = await activateExtension();
  });
  after(closeAllEditors);

  it('is read-only, and hides its tests until they are revealed, once', async () => {
    await openFixture(api, 'bugsinpy-v4-0203');
    const no = answerMessages();
    await vscode.commands.executeCommand('repairBench.showTestScript');
    no.dispose();
    assert.equal(no.said.length, 1);
    assert.notEqual(vscode.window.activeTextEditor?.document.uri.scheme, 'repair-bench');

    const yes = answerMessages('Show Tests', 'must not be asked again');
    try {
      await vscode.commands.executeCommand('repairBench.showTestScript');
      const document = await inFront('the script is shown', ({ uri }) => uri.scheme === 'repair-bench');
      assert.equal(
        document.getText(),
        await readFile(join(FIXTURES, 'bugsinpy-v4-0203/tests/test.sh'), 'utf8'),
      );
      assert.equal(vscode.workspace.fs.isWritableFileSystem('repair-bench'), false);
      await assert.rejects(async () => vscode.workspace.fs.writeFile(document.uri, Buffer.from('x')));
      await vscode.commands.executeCommand('repairBench.showTestScript');
      assert.equal(yes.said.length, 1);
    } finally {
      yes.dispose();
    }
    const facts: unknown = JSON.parse(
      await readFile(join(api.state()?.folder ?? '', 'workspace.json'), 'utf8'),
    );
    assertIncludes(JSON.stringify(facts), '"revealed":{"tests":');
  });

  it('shows a note in place of a hidden file, and the file once it is revealed', async () => {
    await openFixture(api, 'bugsinpy-0112');
    const state = api.state();
    const uri = vscode.Uri.from({
      scheme: 'repair-bench',
      authority: Buffer.from(state?.folder ?? '').toString('hex'),
      path: '/bugsinpy-0112/tests/test.sh',
    });
    const document = await vscode.workspace.openTextDocument(uri);
    assertIncludes(document.getText(), 'is hidden');
    const yes = answerMessages('Show Tests');
    try {
      await vscode.window.showTextDocument(document);
      await until('the file itself is shown', () => document.getText().startsWith('#!/'));
      assert.equal(yes.said.length, 1);
    } finally {
      yes.dispose();
    }
  });

  it('lists its folders', async () => {
    await openFixture(api, 'harbor-ledger-cli');
    const root = vscode.Uri.from({
      scheme: 'repair-bench',
      authority: Buffer.from(api.state()?.folder ?? '').toString('hex'),
      path: '/harbor-ledger-cli',
    });
    const names = (await vscode.workspace.fs.readDirectory(root)).map(([name]) => name).sort();
    assert.deepEqual(names, ['environment', 'instruction.md', 'solution', 'task.toml', 'tests']);
    await assert.rejects(async () => vscode.workspace.fs.stat(vscode.Uri.joinPath(root, 'nothing')));
  });
});

/** The lines of one dataset in the view. */
function rowsOf(view: string, dataset: string): string[] | undefined {
  const lines = view.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`${dataset} `) || line === dataset);
  if (start === -1) return undefined;
  const end = lines.findIndex((line, index) => index > start && !line.startsWith(' '));
  return lines.slice(start, end === -1 ? undefined : end);
}

async function goodArchive(): Promise<Uint8Array> {
  const [{ packTaskArchive }, { readTaskFolder }] = await Promise.all([
    import('../../src/task/archive/packArchive.ts'),
    import('../../src/task/archive/taskFolder.ts'),
  ]);
  const read = await readTaskFolder(join(FIXTURES, 'bugsinpy-0001'));
  if (!read.ok) throw read.error;
  return packTaskArchive(read.files.values());
}
