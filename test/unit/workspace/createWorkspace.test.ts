import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOrCreateWorkspace } from '../../../src/workspace/createWorkspace.ts';
import { readSolution } from '../../../src/workspace/readSolution.ts';
import { listWorkspaces, loadWorkspace } from '../../../src/workspace/taskWorkspace.ts';
import { WorkspaceError } from '../../../src/workspace/workspaceError.ts';
import { workspaceName } from '../../../src/workspace/workspaceName.ts';
import { hostPathOf } from '../../../src/workspace/workPaths.ts';
import { starterOf } from '../../../src/verifier/plan/solution.ts';
import { remedyText } from '../../host/remedyText.ts';
import { ROOT } from '../../host/root.ts';
import { ORIGIN, sampleIds, sampleTask, temporaryFolder } from './helpers/sampleTasks.ts';

describe('a task workspace', () => {
  const root = temporaryFolder();

  it('holds the task as shipped and its starters byte for byte, for every sample', async () => {
    for (const id of await sampleIds()) {
      const task = await sampleTask(id);
      const { workspace, created } = await openOrCreateWorkspace(root(), task, ORIGIN);
      assert.ok(created);
      const loaded = await loadWorkspace(workspace.folder);
      assert.ok(!(loaded instanceof WorkspaceError), String(loaded));
      assert.equal(loaded.task.hash, task.hash);
      assert.deepEqual(
        [...loaded.task.files.values()].map(sized).sort(),
        [...task.files.values()].map(sized).sort(),
      );
      assert.deepEqual(await readSolution(loaded), starterOf(task), id);
    }
    assert.equal((await listWorkspaces(root())).length, (await sampleIds()).length);
  });

  it('is found again for the same row, with what was edited in it', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const { workspace } = await openOrCreateWorkspace(root(), task, ORIGIN);
    await writeFile(hostPathOf(workspace, '/app/solution.py'), 'mine');
    const moved = { ...ORIGIN, dataset: 'D:\\elsewhere\\tasks.parquet' };
    const again = await openOrCreateWorkspace(root(), task, moved);
    assert.equal(again.created, false);
    assert.equal(again.workspace.folder, workspace.folder);
    assert.equal((await readFile(hostPathOf(again.workspace, '/app/solution.py'))).toString(), 'mine');
  });

  it('keeps modes that an archive cannot', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const files = new Map(task.files).set('environment/run', {
      path: 'environment/run',
      bytes: Buffer.from('x'),
      mode: 0o755,
    });
    const { parseTask } = await import('../../../src/task/parseTask.ts');
    const { workspace } = await openOrCreateWorkspace(root(), parseTask('a', files), ORIGIN);
    const loaded = await loadWorkspace(workspace.folder);
    assert.ok(!(loaded instanceof WorkspaceError));
    assert.equal(loaded.task.files.get('environment/run')?.mode, 0o755);
  });

  it('is not made through a link in its place, but under a root that is one', async () => {
    const task = await sampleTask('bugsinpy-0001');
    await mkdir(join(root(), 'elsewhere'));
    await symlink(join(root(), 'elsewhere'), join(root(), 'linked'));
    const { workspace, created } = await openOrCreateWorkspace(join(root(), 'linked'), task, ORIGIN);
    assert.ok(created);
    await rename(workspace.folder, join(root(), 'moved'));
    await symlink(join(root(), 'moved'), workspace.folder);
    await assert.rejects(
      openOrCreateWorkspace(join(root(), 'linked'), task, ORIGIN),
      /is there already, and it is a symbolic link\.$/,
    );
  });

  it('is one when many ask for it at once', async () => {
    const task = await sampleTask('bugsinpy-0001');
    const opened = await Promise.all(
      Array.from({ length: 12 }, () => openOrCreateWorkspace(root(), task, ORIGIN)),
    );
    assert.equal(opened.filter(({ created }) => created).length, 1);
    assert.equal((await readdir(root())).length, 1);
  });

  it('is whole or absent when its maker is killed', async function () {
    this.timeout(60_000);
    const child = join(ROOT, 'test/unit/workspace/helpers/createForEver.ts');
    for (const afterMs of [5, 40]) {
      const maker = spawn(process.execPath, ['--import=tsx', child, root()], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(maker.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      maker.kill('SIGKILL');
      await once(maker, 'close');
      for (const name of (await readdir(root())).filter((each) => !each.startsWith('.'))) {
        const loaded = await loadWorkspace(join(root(), name));
        assert.ok(!(loaded instanceof WorkspaceError), `${name}: ${String(loaded)}`);
        assert.deepEqual(await readSolution(loaded), starterOf(loaded.task));
      }
    }
  });

  it('removes what a killed maker left, once that is old', async () => {
    const stale = join(root(), '.repair-bench-unfinished-0123');
    const fresh = join(root(), '.repair-bench-unfinished-4567');
    await mkdir(join(stale, 'work'), { recursive: true });
    await mkdir(fresh);
    await utimes(stale, new Date(0), new Date(0));
    await openOrCreateWorkspace(root(), await sampleTask('bugsinpy-0001'), ORIGIN);
    const names = await readdir(root());
    assert.ok(
      !names.includes('.repair-bench-unfinished-0123') && names.includes('.repair-bench-unfinished-4567'),
    );
  });
});

describe('a workspace that cannot be', () => {
  const root = temporaryFolder();
  const create = async () => openOrCreateWorkspace(root(), await sampleTask('bugsinpy-0001'), ORIGIN);
  const problem = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      (value) => value,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof WorkspaceError, String(error));
    return `${error.code}: ${error.message} ${remedyText(error.remedies)}`.replaceAll(root(), 'ROOT');
  };

  it('says that no folder can be made there, and does not hang', async function () {
    if (process.platform !== 'linux') this.skip();
    const task = await sampleTask('bugsinpy-0001');
    assert.equal(
      await problem(openOrCreateWorkspace('/proc/nowhere/tasks', task, ORIGIN)),
      'not-writable: /proc/nowhere cannot be made: its file system takes no new folders. Choose a folder that you may write to.',
    );
  });

  it('says that its place is taken', async () => {
    const name = workspaceName(await sampleTask('bugsinpy-0001'), ORIGIN);
    await mkdir(join(root(), name, 'something'), { recursive: true });
    assert.equal(
      await problem(create()),
      `occupied: The workspace cannot be made: ROOT/${name} is there already, and it is not a workspace. Move it away, or choose another folder for workspaces.`,
    );
  });

  it('says that a file is in the way, and leaves nothing behind', async () => {
    await writeFile(join(root(), 'file'), '');
    const task = await sampleTask('bugsinpy-0001');
    assert.match(
      await problem(openOrCreateWorkspace(join(root(), 'file'), task, ORIGIN)),
      /^occupied: ROOT\/file\/\S+ cannot be (read|written): a part of its path is a file, not a folder\. Choose another folder\.$/,
    );
    assert.deepEqual(await readdir(root()), ['file']);
  });

  it('says what somebody did to it', async () => {
    const { workspace } = await create();
    const { folder } = workspace;
    const archive = join(folder, 'task.tar.gz');
    const facts = join(folder, 'workspace.json');
    const [packed, text] = await Promise.all([readFile(archive), readFile(facts)]);
    const says = async (pattern: RegExp) => assert.match(await problem(loadWorkspace(folder)), pattern);

    await writeFile(archive, packed.subarray(0, 400));
    await says(
      /^damaged: ROOT\/\S+\/task\.tar\.gz cannot be used\. The archive ends in the middle of .* Open the task again/,
    );
    await rm(archive);
    await says(/^damaged: ROOT\/\S+\/task\.tar\.gz is missing; it was moved or deleted\. Put it back/);
    await symlink('/etc/hostname', archive);
    await says(
      /^not-a-plain-file: ROOT\/\S+\/task\.tar\.gz is a symbolic link; a plain file belongs there\. Put a copy/,
    );
    await rm(archive);
    const { packTaskArchive } = await import('../../../src/task/archive/packArchive.ts');
    await writeFile(archive, await packTaskArchive((await sampleTask('bugsinpy-0014')).files.values()));
    await says(/^damaged: ROOT\/\S+\/task\.tar\.gz is not the task that this workspace was made for/);
    await writeFile(archive, packed);

    await writeFile(facts, '{ "version": 1');
    await says(/^damaged: ROOT\/\S+\/workspace\.json cannot be used: it is not JSON \(/);
    await writeFile(facts, text.toString().replace('"version": 1', '"version": 7'));
    await says(/was made by a newer Repair Bench \(its version is 7\)/);
    await writeFile(facts, text.toString().replace('"row": 3', '"row": -3'));
    await says(/its "origin\.row" is wrong/);
    await rm(facts);
    await says(
      /^not-a-workspace: ROOT\/\S+ is not a workspace: it has no workspace\.json\. Open a task to make one/,
    );
    await rm(folder, { recursive: true });
    await says(/^not-a-workspace: /);
  });
});

function sized({ path, bytes }: { path: string; bytes: Uint8Array }): string {
  return `${path} ${Buffer.from(bytes).toString('base64')}`;
}
