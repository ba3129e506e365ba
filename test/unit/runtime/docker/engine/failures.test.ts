import assert from 'node:assert/strict';
import {
  failureOf,
  isConnectionLost,
  noEngine,
  errorText,
} from '../../../../../src/runtime/docker/engine/failures.ts';
import { answered, coded, tried } from '../helpers/engineErrors.ts';
import { remedyText } from '../../../../host/remedyText.ts';

describe('engine failures', () => {
  it('quote the engine without what the client puts around its words', () => {
    assert.equal(errorText(answered(404, 'No such image: x')), 'No such image: x');
    assert.equal(errorText(new Error('(HTTP code 500) server error - boom ')), 'boom');
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
