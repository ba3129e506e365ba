import assert from 'node:assert/strict';
import { readContext } from '../../../../../src/runtime/docker/image/buildContext.ts';
import { plannedDockerfile } from '../../../../host/plannedDockerfile.ts';
import { DOCKERFILE, recipe } from '../helpers/builds.ts';

describe('build context', () => {
  it('has the same hash for the same content in any order, and another for any change', () => {
    const base = recipe([
      ['a', 'A'],
      ['b', 'B'],
    ]);
    const hash = readContext(base, {})?.hash;
    assert.equal(
      readContext(
        recipe([
          ['b', 'B'],
          ['a', 'A'],
        ]),
        {},
      )?.hash,
      hash,
    );
    assert.notEqual(
      readContext(
        recipe([
          ['a', 'A'],
          ['b', 'C'],
        ]),
        {},
      )?.hash,
      hash,
    );
    assert.notEqual(readContext(base, { 'python:3.10-slim': 'x' })?.hash, hash);
    assert.equal(readContext(base, { unused: 'x' })?.hash, hash);
  });

  it('is nothing without a Dockerfile', () => {
    assert.equal(
      readContext({ ...recipe([]), dockerfile: plannedDockerfile(DOCKERFILE, 'other/Dockerfile') }, {}),
      undefined,
    );
  });
});
