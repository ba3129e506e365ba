import assert from 'node:assert/strict';
import { argumentsOf } from '../../../../../src/editor/platform/commands/commandSchemas.ts';

/** As VS Code's own: what names the file is partly computed. */
class FileUri {
  readonly scheme = 'file';
  readonly authority = '';
  readonly path = '/work/app/solution.py';
  get fsPath(): string {
    return this.path;
  }
}

const ROW = { kind: 'row', entry: { location: '/set.parquet', filter: '' }, row: 3, path: 'task-3' };

describe('the arguments of a command', () => {
  it('name a task by its folder, a file of it or its row, and else mean the current one', () => {
    assert.deepEqual(argumentsOf('repairBench.verify', ['/folder']), ['/folder']);
    assert.deepEqual(argumentsOf('repairBench.verify', [ROW]), [
      { kind: 'row', entry: { location: '/set.parquet' }, row: 3, path: 'task-3' },
    ]);
    const [file] = argumentsOf('repairBench.verify', [new FileUri()]) ?? [];
    assert.deepEqual(file, {
      scheme: 'file',
      authority: '',
      path: '/work/app/solution.py',
      fsPath: '/work/app/solution.py',
    });
    for (const none of [[], [undefined], [null], [{ groupId: 1, editorIndex: 0 }], [42]])
      assert.deepEqual(argumentsOf('repairBench.verify', none), [undefined]);
  });

  it('are no more than the command has, whatever a menu adds', () => {
    assert.deepEqual(argumentsOf('repairBench.verify', ['/folder', ['/folder'], 'more']), ['/folder']);
    assert.deepEqual(argumentsOf('repairBench.showLog', ['x']), []);
    // A menu of the explorer adds the selected files, which are no path in a container.
    assert.deepEqual(argumentsOf('repairBench.compareWithStarter', ['/folder', [new FileUri()]]), [
      '/folder',
      undefined,
    ]);
  });

  it('are refused where the command cannot do without them', () => {
    for (const args of [
      [],
      ['/set.parquet'],
      ['/set.parquet', '3'],
      ['/set.parquet', -1],
      [3, '/set.parquet'],
    ])
      assert.equal(argumentsOf('repairBench.openTask', args), undefined);
    assert.deepEqual(argumentsOf('repairBench.openTask', ['/set.parquet', 3]), ['/set.parquet', 3]);
  });

  it('promise nothing that was not looked at', () => {
    const task = { in: 'task', path: 'tests/test.sh', line: 4 };
    assert.deepEqual(argumentsOf('repairBench.openTaskFile', ['/folder', task]), ['/folder', task]);
    for (const place of [
      { in: 'task' },
      { in: 'task', path: 1, line: 4 },
      { in: 'solution', path: 'not/from/the/root', line: 4 },
      { in: 'elsewhere', path: '/a', line: 1 },
    ])
      assert.equal(argumentsOf('repairBench.openTaskFile', ['/folder', place]), undefined);
    // A row without its dataset is no row.
    assert.deepEqual(argumentsOf('repairBench.verify', [{ kind: 'row', row: 3, path: 'x', entry: {} }]), [
      undefined,
    ]);
  });

  it('name a run by its id', () => {
    const node = { id: 'a', label: 'Reward 1', run: { id: '2026-01-01', record: {} }, children: [] };
    assert.deepEqual(argumentsOf('repairBench.restoreRun', [node, [node]]), [{ run: { id: '2026-01-01' } }]);
    assert.deepEqual(argumentsOf('repairBench.compareRuns', [node, [node, node]]), [
      { run: { id: '2026-01-01' } },
      [{ run: { id: '2026-01-01' } }, { run: { id: '2026-01-01' } }],
    ]);
    assert.equal(
      argumentsOf('repairBench.openHistoryNode', [{ run: undefined }, { shows: 'output' }]),
      undefined,
    );
  });
});
