import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOrCreateWorkspace } from '../../../src/workspace/createWorkspace.ts';
import { readSolution, readSolutionTree } from '../../../src/workspace/readSolution.ts';
import { planReplacement } from '../../../src/workspace/solutionStatus.ts';
import type { TaskWorkspace } from '../../../src/workspace/taskWorkspace.ts';
import { WorkspaceError } from '../../../src/workspace/workspaceError.ts';
import { hostPathOf } from '../../../src/workspace/workPaths.ts';
import { changesOf, starterOf } from '../../../src/verifier/plan/solution.ts';
import { ORIGIN, sampleTask, temporaryFolder } from './helpers/sampleTasks.ts';
import { remedyText } from '../../host/remedyText.ts';

describe('the solution in a workspace', () => {
  const root = temporaryFolder();
  let workspace: TaskWorkspace;
  beforeEach(async () => {
    ({ workspace } = await openOrCreateWorkspace(root(), await sampleTask('harbor-ledger-cli'), ORIGIN));
  });
  const refusal = async (): Promise<string> => {
    const error = await readSolution(workspace).catch((reason: unknown) => reason);
    assert.ok(error instanceof WorkspaceError, String(error));
    return `${error.code}: ${error.message} ${remedyText(error.remedies)}`.replaceAll(
      workspace.folder,
      'HERE',
    );
  };

  it('is what was changed, added and deleted; what tools leave behind is not', async () => {
    await writeFile(hostPathOf(workspace, '/app/ledger/cli.py'), 'mine');
    await writeFile(hostPathOf(workspace, '/app/new.py'), Buffer.from([0xff, 0x0d, 0x0a]));
    await rm(hostPathOf(workspace, '/app/README.txt'));
    await mkdir(hostPathOf(workspace, '/app/ledger/__pycache__'));
    await writeFile(hostPathOf(workspace, '/app/ledger/__pycache__/cli.pyc'), 'x');
    await writeFile(hostPathOf(workspace, '/app/.cli.py.swp'), 'x');
    const solution = await readSolution(workspace);
    const changes = [...changesOf(workspace.task, solution)].filter(([, change]) => change !== 'unchanged');
    assert.deepEqual(changes, [
      ['/app/README.txt', 'deleted'],
      ['/app/ledger/cli.py', 'changed'],
      ['/app/new.py', 'added'],
    ]);
    const plan = planReplacement(starterOf(workspace.task), solution);
    assert.deepEqual(plan.write.map(({ path }) => path).sort(), ['/app/README.txt', '/app/ledger/cli.py']);
    assert.deepEqual(plan.delete, ['/app/new.py']);
    for (const { path, bytes } of plan.write) await writeFile(hostPathOf(workspace, path), bytes);
    for (const path of plan.delete) await rm(hostPathOf(workspace, path));
    assert.deepEqual(await readSolution(workspace), starterOf(workspace.task));
  });

  it('is all deleted when the folder is gone', async () => {
    await rm(join(workspace.folder, 'work'), { recursive: true });
    assert.equal((await readSolution(workspace)).files.size, 0);
  });

  it('is refused when a link stands in for a file, a folder or work/ itself', async () => {
    const file = hostPathOf(workspace, '/app/aliases.ini');
    await rm(file);
    await symlink('/etc/passwd', file);
    assert.equal(
      await refusal(),
      'not-a-plain-file: HERE/work/app/aliases.ini is a symbolic link; a plain file belongs there. Put a copy of the file in its place.',
    );
    await rm(file);
    const folder = hostPathOf(workspace, '/app/ledger');
    await rename(folder, join(root(), 'ledger'));
    await symlink(join(root(), 'ledger'), folder);
    assert.match(await refusal(), /^not-a-plain-file: HERE\/work\/app\/ledger is a symbolic link/);
    await rename(join(workspace.folder, 'work'), join(root(), 'work'));
    await symlink(join(root(), 'work'), join(workspace.folder, 'work'));
    assert.match(await refusal(), /^not-a-plain-file: HERE\/work is a symbolic link; a folder belongs there/);
  });

  it('is refused when a folder stands in for a file', async () => {
    const file = hostPathOf(workspace, '/app/aliases.ini');
    await rm(file);
    await mkdir(file);
    assert.equal(
      await refusal(),
      "not-a-plain-file: HERE/work/app/aliases.ini is a folder; the solution's /app/aliases.ini belongs there. Move the folder away and put the file back.",
    );
  });

  it('is refused when a name cannot be held everywhere, and says which can', async () => {
    await writeFile(join(workspace.folder, 'work', 'app', 'what?.txt'), '');
    assert.match(
      await refusal(),
      /^odd-name: "HERE\/work\/app\/what\?\.txt" has a name .* Rename it to "what%3F\.txt", or delete it\.$/,
    );
  });

  it('is read within bounds', async () => {
    const work = join(workspace.folder, 'work');
    const limits = { entries: 100, fileBytes: 1 << 20, totalBytes: 1 << 20, depth: 8 };
    const because = (changed: Partial<typeof limits>) =>
      readSolutionTree(work, [], { ...limits, ...changed }).then(
        () => 'read',
        (error: unknown) =>
          error instanceof WorkspaceError ? `${error.code}: ${error.message}` : String(error),
      );
    assert.equal(await because({}), 'read');
    assert.match(await because({ entries: 4 }), /^too-large: .* there are more than 4 files and folders\.$/);
    assert.match(await because({ depth: 1 }), /^too-large: .* its folders are more than 1 deep\.$/);
    assert.match(
      await because({ totalBytes: 500 }),
      /^too-large: .* its files have more than 500 bytes together\.$/,
    );
    assert.match(await because({ fileBytes: 10 }), /^too-large: .*\.(ini|txt) has more than 10 bytes/);
  });
});
