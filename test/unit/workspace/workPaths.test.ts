import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import type { ContainerPath } from '../../../src/task/containerPath.ts';
import { fromHostName, toHostName } from '../../../src/workspace/hostNames.ts';
import { containerPathOf, hostPathOf, workFolderOf } from '../../../src/workspace/workPaths.ts';

const POSIX = { folder: '/home/me/tasks/a' };
const WINDOWS = { folder: 'C:\\Users\\me\\tasks\\a' };
const FLAVOURS = [
  [POSIX, posix],
  [WINDOWS, win32],
] as const;

/** Any text, and what has made trouble before. Lone surrogates stand for bytes that are not UTF-8. */
const segment = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
    fc.constantFrom(
      'aux.c',
      'NUL',
      'con',
      'com1.txt',
      'a:b',
      'a.',
      'a ',
      '%41',
      '100%',
      'a\\b',
      '*',
      'caf\udce9.c',
      '..a',
      '…',
    ),
    fc.constantFrom('.', '..', '...', 'CON .txt', 'COM¹', '%2F', '%2f', '\u0001', '~', 'C:', ' '),
  )
  .filter((text) => !text.includes('/'));
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

  it('has a name that Windows can hold', () => {
    fc.assert(
      fc.property(segment, (name) => {
        const host = toHostName(name);
        assert.doesNotMatch(host, /[\u0000-\u001f<>:"|?*\\/]|[. ]$/);
        assert.doesNotMatch(host, /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        assert.equal(fromHostName(host), name);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps ordinary names as they are and writes the others as escapes', () => {
    for (const [name, host] of [
      ['solution.py', 'solution.py'],
      ['größe 1.txt', 'größe 1.txt'],
      ['100%', '100%'],
      ['aux.c', '%61ux.c'],
      ['a:b', 'a%3Ab'],
      ['trailing.', 'trailing%2E'],
      ['caf\udce9', 'caf%E9'],
      ['%41', '%2541'],
    ] as const)
      assert.equal(toHostName(name), host);
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
