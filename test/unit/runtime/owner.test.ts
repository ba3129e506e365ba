import assert from 'node:assert/strict';
import { isOwnerAlive, ownerOfThisProcess, startTimeOf } from '../../../src/runtime/owner.ts';

describe('owner', () => {
  it('is alive while its process runs, and told apart from a later process of that number', () => {
    const mine = ownerOfThisProcess('x');
    assert.equal(isOwnerAlive(mine), true);
    const [host, namespace, pid] = mine.split('/');
    assert.equal(isOwnerAlive(`${host}/${namespace}/${pid}/1/x`), process.platform !== 'linux');
    assert.equal(isOwnerAlive(`${host}/${namespace}/4194305/1/x`), false);
  });

  it('counts as alive when this host cannot know', () => {
    const [host, namespace] = ownerOfThisProcess('x').split('/');
    assert.equal(isOwnerAlive(`elsewhere/${namespace}/4194305/1/x`), true);
    // Another container that shares the host's network, and with it the host's name.
    assert.equal(isOwnerAlive(`${host}/${namespace}1/4194305/1/x`), true);
    assert.equal(isOwnerAlive('odd'), true);
  });
});

describe('what the kernel says', () => {
  it('about the start of a process with an odd name', () => {
    const fields = Array.from({ length: 30 }, (_, index) => String(index + 3));
    assert.equal(startTimeOf(`42 (a) b (c)) ${fields.join(' ')}`), '22');
  });
});
