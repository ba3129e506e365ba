import assert from 'node:assert/strict';
import { taskAddress, taskUriParts } from '../../../../src/editor/task/taskUri.ts';

describe('addresses of task files', () => {
  it('lead back to the workspace, whatever its path', () => {
    for (const folder of ['/home/me/.repair-bench/task-1', 'C:\\Users\\Ünä\\x', '/a b/ç#?'])
      assert.deepEqual(taskAddress(taskUriParts(folder, 'set/task.tar.gz', 'tests/test.sh')), {
        folder,
        path: 'tests/test.sh',
      });
    assert.equal(taskAddress(taskUriParts('/f', 'task', ''))?.path, '');
    assert.equal(taskAddress({ scheme: 'repair-bench', authority: 'xyz', path: '/a' }), undefined);
    assert.equal(taskAddress({ scheme: 'file', authority: '', path: '/a' }), undefined);
  });
});
