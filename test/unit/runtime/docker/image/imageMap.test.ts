import assert from 'node:assert/strict';
import {
  mapImage,
  substituteBaseImages,
  unusedMappings,
  withTag,
} from '../../../../../src/runtime/docker/image/imageMap.ts';
import { plannedDockerfile } from '../../../../host/plannedDockerfile.ts';

const IMAGES = {
  'python:3.10-slim': 'mirror/python:3.10-slim',
  'alpine:3': 'mirror/alpine:3',
  build: 'wrong',
};

describe('base-image substitution', () => {
  const cases: [string, string, string][] = [
    ['a plain FROM', 'FROM python:3.10-slim\nRUN x\n', 'FROM mirror/python:3.10-slim\nRUN x\n'],
    ['lower case and blanks', 'from   python:3.10-slim  \n', 'from   mirror/python:3.10-slim  \n'],
    [
      'a platform and a stage name',
      'FROM --platform=linux/amd64 python:3.10-slim AS build',
      'FROM --platform=linux/amd64 mirror/python:3.10-slim AS build',
    ],
    [
      'no name of a stage',
      'FROM python:3.10-slim AS build\nFROM build\nCOPY --from=Build /a /b\nCOPY --from=0 /a /b\n',
      'FROM mirror/python:3.10-slim AS build\nFROM build\nCOPY --from=Build /a /b\nCOPY --from=0 /a /b\n',
    ],
    [
      'COPY --from of an image',
      'FROM scratch\nCOPY --from=alpine:3 /a /b\n',
      'FROM scratch\nCOPY --from=mirror/alpine:3 /a /b\n',
    ],
    [
      'a build argument with a default',
      'ARG TAG=3.10\nFROM python:${TAG}-slim\n',
      'ARG TAG=3.10\nFROM mirror/python:3.10-slim\n',
    ],
    [
      'other images not',
      'FROM python:3.9\n# FROM python:3.10-slim\n',
      'FROM python:3.9\n# FROM python:3.10-slim\n',
    ],
    [
      'COPY --from beside other flags',
      'FROM scratch\nCOPY --chown=1 --from=alpine:3 \\\n  /a /b\nFROM alpine:3\n',
      'FROM scratch\nCOPY --chown=1 --from=mirror/alpine:3 \\\n  /a /b\nFROM mirror/alpine:3\n',
    ],
    ['CRLF', 'FROM python:3.10-slim\r\nRUN x\r\n', 'FROM mirror/python:3.10-slim\r\nRUN x\r\n'],
    ['the long name', 'FROM docker.io/library/python:3.10-slim', 'FROM mirror/python:3.10-slim'],
  ];
  for (const [name, text, expected] of cases) {
    it(`substitutes: ${name}`, () => {
      assert.equal(substituteBaseImages(text, plannedDockerfile(text).images, IMAGES), expected);
    });
  }

  it('takes a missing tag for latest', () => {
    assert.equal(mapImage('busybox', { 'busybox:latest': 'b' }), 'b');
    assert.equal(mapImage('busybox:latest', { busybox: 'b' }), 'b');
    assert.equal(mapImage('busybox:1', { busybox: 'b' }), 'busybox:1');
    assert.equal(withTag('localhost:5000/x'), 'localhost:5000/x:latest');
    assert.equal(withTag('x@sha256:00'), 'x@sha256:00');
  });

  it('knows which entries of a map are for nothing', () => {
    const map = { 'docker.io/library/python:3.10-slim': 'a', alpine: 'b', 'node:20': 'c' };
    assert.deepEqual(unusedMappings(map, ['python:3.10-slim', 'alpine:latest']), ['node:20']);
  });
});
