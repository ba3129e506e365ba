import assert from 'node:assert/strict';
import { groupText, findUser, passwdText } from '../../../../../src/runtime/sandbox/host/sandboxUser.ts';

describe('users of the sandbox', () => {
  const found = (spec: string | undefined, lines: readonly string[] = []): unknown => {
    const lookup = findUser(spec, lines);
    return lookup.kind === 'found' ? lookup.user : lookup.message;
  };
  const ROOT = { name: 'root', uid: 0, gid: 0, home: '/root' };

  it('are root unless a plan says otherwise', () => {
    for (const spec of [undefined, '', 'root', '0', 'root:root', '0:0']) assert.deepEqual(found(spec), ROOT);
  });

  it('can be given by number, with or without an entry', () => {
    assert.deepEqual(found('33'), { name: 'www-data', uid: 33, gid: 33, home: '/var/www' });
    assert.deepEqual(found('1234:5678'), { name: undefined, uid: 1234, gid: 5678, home: '/' });
  });

  it('include those that a build line would have created', () => {
    const lines = ['RUN apt-get update && useradd -m tester && rm -rf /x'];
    assert.deepEqual(found('tester', lines), { name: 'tester', uid: 1000, gid: 1000, home: '/home/tester' });
  });

  it('are missing when nobody knows them', () => {
    assert.equal(found('tester', ['RUN echo tester']), 'There is no user "tester" in the sandbox.');
    assert.equal(found('root:team'), 'There is no group "team" in the sandbox.');
    assert.equal(found('99999999'), 'There is no user "99999999" in the sandbox.');
    assert.equal(found('a\nb', ['useradd a\nb']), 'There is no user "a\nb" in the sandbox.');
  });

  it('have entries in passwd and group', () => {
    const user = { name: 'tester', uid: 1000, gid: 1000, home: '/home/tester' };
    assert.match(passwdText(user), /^root:x:0:0:root:\/root:\/bin\/bash\n/);
    assert.match(passwdText(user), /^tester:x:1000:1000:tester:\/home\/tester:\/bin\/bash$/m);
    assert.match(groupText(user), /^tester:x:1000:$/m);
  });
});
