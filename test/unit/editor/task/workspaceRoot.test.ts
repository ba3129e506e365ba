import assert from 'node:assert/strict';
import { join } from 'node:path';
import { workspaceRoot } from '../../../../src/editor/task/workspaceRoot.ts';

describe('the folder of workspaces', () => {
  const home = '/home/me';
  const root = (setting: string, openFolder?: string) => workspaceRoot({ setting, openFolder, home });
  it('is where a person sees it', () => {
    assert.equal(root('', '/project'), join('/project', '.repair-bench'));
    assert.equal(root(''), join(home, 'repair-bench'));
    assert.equal(root('~/tasks'), '/home/me/tasks');
    assert.equal(root('${workspaceFolder}/x', '/project'), '/project/x');
    assert.equal(root('rel', '/project'), join('/project', 'rel'));
    assert.equal(root('/abs', '/project'), '/abs');
  });
});
