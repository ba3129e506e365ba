import assert from 'node:assert/strict';
import { interpreterFolders } from '../../../../../src/runtime/sandbox/host/interpreter.ts';

describe('an interpreter', () => {
  it('outside of /usr is shown with all its folders, once', () => {
    const common = { executable: '/x/bin/python3', version: '3.11.7', pytestVersion: undefined };
    const folders = (prefix: string, basePrefix: string): string[] =>
      interpreterFolders({ ...common, prefix, basePrefix });
    assert.deepEqual(folders('/usr', '/usr'), []);
    assert.deepEqual(folders('/usr/local', '/usr/local'), []);
    assert.deepEqual(folders('/opt/py', '/opt/py'), ['/opt/py']);
    assert.deepEqual(folders('/home/me/venv', '/usr'), ['/home/me/venv']);
    assert.deepEqual(folders('/opt/py/venv', '/opt/py'), ['/opt/py']);
  });
});
