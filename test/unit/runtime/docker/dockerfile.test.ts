import assert from 'node:assert/strict';
import {
  buildKitFlag,
  hereDocument,
  namedImages,
  stepPlace,
  substituteBaseImages,
} from '../../../../src/runtime/docker/dockerfile.ts';
import { mapImage, unusedMappings, withTag } from '../../../../src/runtime/docker/imageMap.ts';

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
    ['CRLF', 'FROM python:3.10-slim\r\nRUN x\r\n', 'FROM mirror/python:3.10-slim\r\nRUN x\r\n'],
    ['the long name', 'FROM docker.io/library/python:3.10-slim', 'FROM mirror/python:3.10-slim'],
  ];
  for (const [name, text, expected] of cases) {
    it(`substitutes: ${name}`, () => assert.equal(substituteBaseImages(text, IMAGES), expected));
  }

  it('takes a missing tag for latest', () => {
    assert.equal(mapImage('busybox', { 'busybox:latest': 'b' }), 'b');
    assert.equal(mapImage('busybox:latest', { busybox: 'b' }), 'b');
    assert.equal(mapImage('busybox:1', { busybox: 'b' }), 'busybox:1');
    assert.equal(withTag('localhost:5000/x'), 'localhost:5000/x:latest');
    assert.equal(withTag('x@sha256:00'), 'x@sha256:00');
  });
});

describe('lines of a Dockerfile', () => {
  const text = '# syntax=docker/dockerfile:1\nARG A\n\nFROM x\n# c\nRUN a \\\n  # c\n  && b\nCOPY s /\n';

  it('finds the line of a step, past comments and continued lines', () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((step) => stepPlace(text, step)?.line),
      [2, 4, 6, 9],
    );
    assert.equal(stepPlace(text, 5), undefined);
  });

  it('finds what needs BuildKit', () => {
    assert.equal(buildKitFlag(text), undefined);
    assert.deepEqual(buildKitFlag('FROM x\nRUN --mount=type=cache,target=/c \\\n  y\n'), {
      line: 2,
      text: 'RUN --mount',
    });
    assert.equal(buildKitFlag('FROM x\nCOPY --chown=1 --chmod=755 a b\n')?.line, 2);
    assert.equal(buildKitFlag('FROM x\nCOPY --from=y a b\n'), undefined);
    assert.equal(hereDocument('FROM x\nRUN <<EOF\necho\nEOF\n')?.line, 2);
    assert.equal(hereDocument('FROM x\nRUN echo $((1<<2)) <<< word\n'), undefined);
  });
});

describe('the images that a Dockerfile names', () => {
  it('are told once each, without stages and scratch', () => {
    assert.deepEqual(
      namedImages(
        'ARG TAG=3.10\nFROM python:${TAG}-slim AS build\nFROM scratch\nCOPY --from=build /a /a\n' +
          'COPY --from=alpine:3 /b /b\nFROM python:3.10-slim\n',
      ),
      ['python:3.10-slim', 'alpine:3'],
    );
    assert.deepEqual(namedImages('RUN true\n'), []);
  });

  it('show which entries of a map are for nothing', () => {
    const map = { 'docker.io/library/python:3.10-slim': 'a', alpine: 'b', 'node:20': 'c' };
    assert.deepEqual(unusedMappings(map, ['python:3.10-slim', 'alpine:latest']), ['node:20']);
  });
});
