import assert from 'node:assert/strict';
import { workspaceName } from '../../../src/workspace/workspaceName.ts';
import { ORIGIN } from './helpers/sampleTasks.ts';

describe('the name of a workspace', () => {
  it('is another one for another row, another dataset and other bytes', async () => {
    const task = { id: 'a', hash: 'b'.repeat(64) };
    const names = [
      workspaceName(task, ORIGIN),
      workspaceName(task, { ...ORIGIN, row: 4 }),
      workspaceName(task, { ...ORIGIN, dataset: '/data/other.parquet' }),
      workspaceName({ ...task, hash: 'c'.repeat(64) }, ORIGIN),
    ];
    assert.equal(new Set(names).size, names.length);
  });

  it('has a name that every system can hold, whatever the task is called', () => {
    const nameOf = (id: string) =>
      workspaceName({ id, hash: '0'.repeat(64) }, ORIGIN).replace(/-[0-9a-f]{8}$/, '');
    assert.equal(nameOf('bugsinpy-0001.tar.gz'), 'bugsinpy-0001');
    assert.equal(nameOf('../../etc/passwd'), 'etc-passwd');
    assert.equal(nameOf('aux.c'), 'task-aux.c');
    assert.equal(nameOf('größe: 1?'), 'gr-e-1');
    assert.equal(nameOf('...'), 'task');
    assert.equal(nameOf('x'.repeat(500)), 'x'.repeat(60));
  });
});
