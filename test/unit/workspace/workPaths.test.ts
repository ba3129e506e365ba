import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import type { ContainerPath } from '../../../src/task/containerPath.ts';
import { containerPathOf, hostPathOf, workFolderOf } from '../../../src/workspace/workPaths.ts';
import { segment } from './helpers/segments.ts';

const POSIX = { folder: '/home/me/tasks/a' };

const WINDOWS = { folder: 'C:\\Users\\me\\tasks\\a' };

const FLAVOURS = [
  [POSIX, posix],
  [WINDOWS, win32],
] as const;

const paths = fc.array(segment, { maxLength: 6 }).map((segments): ContainerPath => `/${segments.join('/')}`);

describe('where a file of the container lies on disk', () => {
  it('is under work/, by the name it has there', () => {
    assert.equal(hostPathOf(POSIX, '/app/solution.py', posix), '/home/me/tasks/a/work/app/solution.py');
    assert.equal(
      hostPathOf(WINDOWS, '/app/solution.py', win32),
      'C:\\Users\\me\\tasks\\a\\work\\app\\solution.py',
    );
  });

  it('never leaves work/, whatever the path', () => {
    fc.assert(
      fc.property(paths, (path) => {
        for (const [workspace, flavour] of FLAVOURS) {
          const host = hostPathOf(workspace, path, flavour);
          const below = flavour.relative(workFolderOf(workspace, flavour), host);
          assert.ok(
            !flavour.isAbsolute(below) && below.split(flavour.sep)[0] !== '..',
            `${path} is at ${host}`,
          );
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('and the way back gives the same path, on both systems', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const plain = posix.resolve('/', path);
        for (const [workspace, flavour] of FLAVOURS)
          assert.equal(containerPathOf(workspace, hostPathOf(workspace, path, flavour), flavour), plain);
      }),
      { numRuns: 2000 },
    );
  });

  it('is unknown for a file outside of work/ or with a name that nothing in a container has', () => {
    for (const path of [
      '/home/me/tasks/a/workspace.json',
      '/home/me/tasks/a',
      '/home/me/tasks/a/work2/x',
      '/etc/passwd',
    ])
      assert.equal(containerPathOf(POSIX, path, posix), undefined);
    assert.equal(containerPathOf(POSIX, '/home/me/tasks/a/work/what?.txt', posix), undefined);
    assert.equal(containerPathOf(POSIX, '/home/me/tasks/a/work/a%41', posix), undefined);
    assert.equal(containerPathOf(WINDOWS, 'D:\\Users\\me\\tasks\\a\\work\\app\\x', win32), undefined);
    assert.equal(containerPathOf(WINDOWS, 'c:\\users\\ME\\tasks\\a\\work\\app\\x', win32), '/app/x');
  });
});
