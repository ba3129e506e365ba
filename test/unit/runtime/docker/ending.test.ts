import assert from 'node:assert/strict';
import { endOf, refusedStart } from '../../../../src/runtime/docker/ending.ts';
import { failureOf, isConnectionLost, noEngine, wordsOf } from '../../../../src/runtime/docker/failures.ts';
import { isOwnerAlive, ownerOfThisProcess } from '../../../../src/runtime/owner.ts';
import { remedyText } from '../../../host/remedyText.ts';

describe('how a step ended', () => {
  it('is read from the exit code', () => {
    assert.deepEqual(endOf(0, false, ''), { how: 'exited', code: 0 });
    assert.deepEqual(endOf(127, false, 'bash: line 1: x: not found'), { how: 'exited', code: 127 });
    assert.deepEqual(endOf(255, false, ''), { how: 'exited', code: 255 });
    assert.deepEqual(endOf(137, true, ''), { how: 'killed', signal: 'SIGKILL', outOfMemory: true });
    assert.deepEqual(endOf(143, true, ''), { how: 'killed', signal: 'SIGTERM', outOfMemory: false });
  });

  it('is "cannot start" when an init program or the engine says so', () => {
    for (const words of [
      '[FATAL tini (7)] exec bash failed: No such file or directory',
      'OCI runtime exec failed: exec failed: unable to start container process: exec: "bash": executable file not found in $PATH: unknown\r\n',
    ]) {
      assert.deepEqual(endOf(127, false, words), { how: 'cannot-start', message: words.trim() });
    }
  });

  it('is "cannot start" only for refusals that a task can cause', () => {
    const refusal = answered(400, 'unable to find user nosuch: no matching entries in passwd file');
    assert.equal(refusedStart(refusal)?.how, 'cannot-start');
    assert.equal(refusedStart(answered(500, 'failed to create endpoint x on network bridge')), undefined);
    assert.equal(refusedStart(new Error('permission denied')), undefined);
  });
});

describe('engine failures', () => {
  it('quote the engine without what the client puts around its words', () => {
    assert.equal(wordsOf(answered(404, 'No such image: x')), 'No such image: x');
    assert.equal(wordsOf(new Error('(HTTP code 500) server error - boom ')), 'boom');
  });

  it('tell a full disk, a dead engine and the rest apart', () => {
    assert.equal(failureOf(answered(500, 'mkdir: no space left on device'), 'x').reason, 'disk-full');
    assert.equal(failureOf(coded('ECONNRESET'), 'x').reason, 'engine-died');
    assert.equal(failureOf(coded('ENOENT'), 'x').reason, 'engine-died');
    assert.equal(failureOf(answered(500, 'socket hang up'), 'x').reason, 'unexpected');
    assert.equal(isConnectionLost(new Error('socket hang up')), true);
  });

  it('list what was tried in order', () => {
    const failure = noEngine([tried('/a', 'ENOENT'), tried('/b', 'ECONNREFUSED')]);
    assert.equal(failure.reason, 'no-engine');
    assert.match(failure.message, /Tried: \/a and \/b/);
  });

  it('name the socket that this user may not use', () => {
    const failure = noEngine([tried('/a', 'EACCES'), tried('/b', 'ENOENT')]);
    assert.equal(failure.reason, 'no-permission');
    assert.match(failure.message, /\/a/);
    assert.match(remedyText(failure.remedies), /docker group/);
  });
});

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

function answered(statusCode: number, message: string): Error {
  return Object.assign(new Error(`(HTTP code ${statusCode}) reason - ${message} `), {
    statusCode,
    json: { message },
  });
}

function coded(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

function tried(path: string, code: string): Parameters<typeof noEngine>[0][number] {
  return {
    endpoint: { address: { kind: 'socket', path }, where: path, origin: 'the default socket' },
    error: coded(code),
  };
}
