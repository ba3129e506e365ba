import assert from 'node:assert/strict';
import {
  bwrapArguments,
  canForbidNamespaces,
  encodeArguments,
} from '../../../../../src/runtime/sandbox/jail/bwrapArguments.ts';

describe('bubblewrap arguments', () => {
  it('shut everything off first, then show what the step may see', () => {
    const options = bwrapArguments({
      root: '/tmp/run/root',
      mounts: [
        { source: '/usr', target: '/usr', writable: false },
        { source: '/tmp/run/root/usr/local', target: '/usr/local', writable: true },
      ],
      uid: 0,
      gid: 0,
      forbidsNamespaces: true,
      workdir: '/app',
      env: { PATH: '/usr/bin', GREETING: 'two words' },
    });
    assert.deepEqual(options, [
      ...['--unshare-all', '--unshare-user', '--disable-userns'],
      ...['--uid', '0', '--gid', '0', '--cap-drop', 'ALL', '--hostname', 'sandbox'],
      ...['--die-with-parent', '--new-session', '--as-pid-1'],
      ...['--bind', '/tmp/run/root', '/'],
      ...['--ro-bind', '/usr', '/usr'],
      ...['--bind', '/tmp/run/root/usr/local', '/usr/local'],
      ...['--proc', '/proc', '--dev', '/dev'],
      ...['--perms', '1777', '--size', '67108864', '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
      ...['--chdir', '/app', '--clearenv'],
      ...['--setenv', 'PATH', '/usr/bin', '--setenv', 'GREETING', 'two words'],
    ]);
  });

  it('leave out what an older bubblewrap does not know', () => {
    for (const version of ['bubblewrap 0.8.0', 'bubblewrap 0.11.0', 'bubblewrap 1.0']) {
      assert.ok(canForbidNamespaces(version), version);
    }
    for (const version of ['bubblewrap 0.6.1', 'bubblewrap', ''])
      assert.ok(!canForbidNamespaces(version), version);
    const view = { root: '/r', mounts: [], uid: 0, gid: 0, workdir: '/', env: {} };
    assert.ok(!bwrapArguments({ ...view, forbidsNamespaces: false }).includes('--disable-userns'));
  });

  it('are encoded one per NUL', () => {
    assert.equal(encodeArguments(['--chdir', '/a b', '']).toString(), '--chdir\0/a b\0\0');
  });

  it('refuse a NUL byte, which would begin another option', () => {
    assert.throws(() => encodeArguments(['--setenv', 'A', 'x\0--bind']), RangeError);
  });
});
