import assert from 'node:assert/strict';
import { isReadOnlyPath, mountsOf, type HostView } from '../../../../../src/runtime/sandbox/jail/hostView.ts';

const VIEW: HostView = {
  readOnly: ['/usr', '/etc/alternatives', '/usr/local/lib', '/home/me/.pyenv/versions/3.11.7'],
  entries: [],
};

describe('view of the host', () => {
  it('mounts parents first, and every folder above a mount', () => {
    const shown = mountsOf(VIEW, '/r').map(
      ({ source, target, writable }) =>
        `${writable ? 'rw' : 'ro'} ${target}${source === target ? '' : ` < ${source}`}`,
    );
    assert.deepEqual(shown, [
      'rw /etc < /r/etc',
      'ro /etc/alternatives',
      'rw /home < /r/home',
      'rw /home/me < /r/home/me',
      'rw /home/me/.pyenv < /r/home/me/.pyenv',
      'rw /home/me/.pyenv/versions < /r/home/me/.pyenv/versions',
      'ro /home/me/.pyenv/versions/3.11.7',
      'ro /usr',
      'rw /usr/local < /r/usr/local',
      'rw /usr/local/bin < /r/usr/local/bin',
      'ro /usr/local/lib',
    ]);
  });

  it('never writes to what is the host’s', () => {
    const paths = ['/usr/bin/x', '/usr/local/lib/x', '/etc/alternatives/x', '/proc/1', '/dev/null', '/sys'];
    for (const path of [...paths, '/home/me/.pyenv/versions/3.11.7/bin'])
      assert.ok(isReadOnlyPath(VIEW, path), path);
    for (const path of ['/', '/usr', '/usr/local', '/usr/local/bin/x', '/etc/x', '/home/me/x', '/procs']) {
      assert.ok(!isReadOnlyPath(VIEW, path), path);
    }
  });
});
