// Dockerfiles made to take long, to grow without end or to overflow the stack: each is read within bounds.
import assert from 'node:assert/strict';
import { parseDockerfile } from '../../../src/task/dockerfile.ts';

const HOSTILE: Readonly<Record<string, string>> = {
  'dollars without end': `ENV A=${'$'.repeat(200_000)}`,
  'braces that never close': `ENV A=${'${'.repeat(100_000)}`,
  'defaults in each other': `ENV A=${'${a:-'.repeat(5000)}${'}'.repeat(5000)}`,
  'values that multiply': [
    'ENV A0=0123456789',
    ...Array.from({ length: 12 }, (_, level) => `ENV A${level + 1}=${`$A${level}`.repeat(10)}`),
  ].join('\n'),
};

describe('a hostile Dockerfile', () => {
  for (const [name, line] of Object.entries(HOSTILE))
    it(`of ${name} is read within bounds`, () => {
      const { facts } = parseDockerfile(`FROM python:3.10-slim\n${line}\n`);
      assert.equal(facts?.baseImage, 'python:3.10-slim');
      assert.ok(Object.values(facts.env).every((value) => value.length <= 256 * 1024));
    });
});
