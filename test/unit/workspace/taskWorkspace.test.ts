import assert from 'node:assert/strict';
import { readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOrCreateWorkspace } from '../../../src/workspace/createWorkspace.ts';
import { readSolution } from '../../../src/workspace/readSolution.ts';
import { findWorkspaceOf, loadWorkspace, markRevealed } from '../../../src/workspace/taskWorkspace.ts';
import { WorkspaceError } from '../../../src/workspace/workspaceError.ts';
import { hostPathOf } from '../../../src/workspace/workPaths.ts';
import { starterOf } from '../../../src/verifier/plan/solution.ts';
import { ORIGIN, sampleTask, temporaryFolder } from './helpers/sampleTasks.ts';

describe('a workspace that is loaded', () => {
  const root = temporaryFolder();

  it('is found from any file in it, also when a solution has a workspace.json of its own', async () => {
    const { workspace } = await openOrCreateWorkspace(root(), await sampleTask('harbor-ledger-cli'), ORIGIN);
    await writeFile(hostPathOf(workspace, '/app/workspace.json'), '{ "projects": {} }');
    assert.equal(await findWorkspaceOf(hostPathOf(workspace, '/app/ledger/cli.py')), workspace.folder);
    assert.equal(await findWorkspaceOf(hostPathOf(workspace, '/app/not/there/yet.py')), workspace.folder);
    assert.equal(await findWorkspaceOf(root()), undefined);
  });

  it('works wherever it is moved', async () => {
    const { workspace } = await openOrCreateWorkspace(root(), await sampleTask('manybugs-0007'), ORIGIN);
    await rename(workspace.folder, join(root(), 'elsewhere'));
    const loaded = await loadWorkspace(join(root(), 'elsewhere'));
    assert.ok(!(loaded instanceof WorkspaceError));
    assert.deepEqual(await readSolution(loaded), starterOf(loaded.task));
  });

  it('notes once what was revealed, and keeps what it does not know', async () => {
    const { workspace } = await openOrCreateWorkspace(root(), await sampleTask('bugsinpy-0001'), ORIGIN);
    const file = join(workspace.folder, 'workspace.json');
    await writeFile(file, JSON.stringify({ ...JSON.parse((await readFile(file)).toString()), note: 'mine' }));
    await markRevealed(workspace, 'gold', new Date(0));
    const marked = await markRevealed(workspace, 'gold', new Date(1));
    assert.deepEqual(marked.facts.revealed, { gold: '1970-01-01T00:00:00.000Z' });
    assert.equal(JSON.parse((await readFile(file)).toString()).note, 'mine');
  });

  it('notes all that many windows reveal at once', async () => {
    const { workspace } = await openOrCreateWorkspace(root(), await sampleTask('bugsinpy-0001'), ORIGIN);
    for (let round = 0; round < 5; round++)
      await Promise.all(
        (['gold', 'tests', 'expected-diff'] as const).map((what) =>
          markRevealed(workspace, what, new Date(0)),
        ),
      );
    const loaded = await loadWorkspace(workspace.folder);
    assert.ok(!(loaded instanceof WorkspaceError));
    assert.deepEqual(Object.keys(loaded.facts.revealed).sort(), ['expected-diff', 'gold', 'tests']);
    assert.ok(!(await readdir(workspace.folder)).some((name) => name.endsWith('.lock')));
  });

  it('does not wait for a lock that a dead process left behind', async () => {
    const { workspace } = await openOrCreateWorkspace(root(), await sampleTask('bugsinpy-0001'), ORIGIN);
    const lock = join(workspace.folder, '.workspace.json.lock');
    await writeFile(lock, '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(lock, longAgo, longAgo);
    const marked = await markRevealed(workspace, 'tests', new Date(0));
    assert.deepEqual(Object.keys(marked.facts.revealed), ['tests']);
  });
});
